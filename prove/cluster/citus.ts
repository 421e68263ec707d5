import { access, appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../e2e/server-process.ts";
import { debianPrograms, endPostgres, giveAway, type Programs, programsIn, startPostgres } from "./own-postgres.ts";

/** A coordinator and two workers of Citus. */
export interface CitusTrial {
  url: string;
  /** Port of the coordinator. */
  coordinator: number;
  /** Ends one of the three, by its port, as by kill -9. */
  kill(port: number): Promise<void>;
  start(port: number): Promise<void>;
  stop(): Promise<void>;
}

/** The programs of a PostgreSQL that Citus is installed for; undefined when there are none. */
export const citusPrograms = async (): Promise<string | undefined> => {
  const folder = process.env.CITUS_PG_BIN ?? debianPrograms;
  return access(join(folder, "../lib/citus.so")).then(
    () => folder,
    () => undefined,
  );
};

interface Place {
  folder: string;
  port: number;
}

const settings = ({ port }: Place) => `
port = ${port}
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 200
shared_preload_libraries = 'citus'
wal_level = logical
citus.node_conninfo = 'sslmode=prefer'
citus.recover_2pc_interval = 5s
`;

const sqlOf =
  (postgres: Programs, { port }: Place) =>
  (database: string, text: string) =>
    postgres("psql", "-qAt", "-h", "127.0.0.1", "-p", String(port), "-U", "telltale", "-d", database, "-c", text);

const startNode = async (postgres: Programs, place: Place): Promise<void> => {
  const made = ["-U", "telltale", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8"];
  await postgres("initdb", "-D", place.folder, ...made);
  await appendFile(join(place.folder, "postgresql.conf"), settings(place));
  await startPostgres(postgres, place.folder);
  const sql = sqlOf(postgres, place);
  await sql("postgres", "CREATE DATABASE telltale");
  await sql("telltale", "CREATE EXTENSION citus");
};

const startAll = async (postgres: Programs, [coordinator, ...workers]: readonly [Place, ...Place[]]): Promise<void> => {
  for (const place of [coordinator, ...workers]) await startNode(postgres, place);
  const sql = sqlOf(postgres, coordinator);
  await sql("telltale", `SELECT citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`);
  for (const { port } of workers) await sql("telltale", `SELECT citus_add_node('127.0.0.1', ${port})`);
};

/** The processes of a PostgreSQL that was killed end a moment later: until then its memory is in use. */
const startAgain = async (postgres: Programs, folder: string): Promise<void> => {
  for (let tries = 1; ; tries++) {
    try {
      await startPostgres(postgres, folder);
      return;
    } catch (fault) {
      if (tries === 10) throw fault;
      await sleep(500);
    }
  }
};

/** Starts the three with these programs. */
export const startCitus = async (programs: string): Promise<CitusTrial> => {
  const folder = await mkdtemp(join(tmpdir(), "telltale-citus-"));
  await giveAway(folder);
  const postgres = programsIn(programs);
  const placeOf = async (name: string): Promise<Place> => ({ folder: join(folder, name), port: await freePort() });
  const coordinator = await placeOf("coordinator");
  const workers = [await placeOf("worker-1"), await placeOf("worker-2")];
  const folderOf = (wanted: number): string =>
    [coordinator, ...workers].find(({ port }) => port === wanted)?.folder ?? "";
  const stop = async (): Promise<void> => {
    for (const place of [coordinator, ...workers]) await endPostgres(postgres, place.folder).catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await startAll(postgres, [coordinator, ...workers]);
  } catch (fault) {
    await stop();
    throw fault;
  }
  return {
    url: `postgres://telltale@127.0.0.1:${coordinator.port}/telltale`,
    coordinator: coordinator.port,
    kill: async (port) => {
      const pid = Number.parseInt(await readFile(join(folderOf(port), "postmaster.pid"), "utf8"), 10);
      process.kill(pid, "SIGKILL");
    },
    start: (port) => startAgain(postgres, folderOf(port)),
    stop,
  };
};
