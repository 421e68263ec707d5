import { access, appendFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../e2e/server-process.ts";
import { startTcpProxy } from "../tcp-proxy.ts";
import { debianPrograms, endPostgres, giveAway, programsIn, startPostgres } from "./own-postgres.ts";

/** A PostgreSQL with a standby that has every commit before it is confirmed, at one address. */
export interface PostgresPair {
  url: string;
  /** Ends the first one, as by a power cut; the standby takes over at the same address. */
  failOver(): Promise<void>;
  stop(): Promise<void>;
}

/** Whether Debian's PostgreSQL 15 is installed. */
export const hasPostgres = (): Promise<boolean> =>
  access(join(debianPrograms, "pg_basebackup")).then(
    () => true,
    () => false,
  );

const asItsUser = programsIn(debianPrograms);

interface Place {
  folder: string;
  port: number;
}

const startPair = async (primary: Place, standby: Place): Promise<void> => {
  const settings = ({ port }: Place) =>
    `\nport = ${port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\nmax_connections = 200\n`;
  const address = ["-h", "127.0.0.1", "-p", String(primary.port), "-U", "telltale", "-d", "postgres"];
  const sql = (text: string) => asItsUser("psql", "-qAt", ...address, "-c", text);
  const made = ["-U", "telltale", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8"];
  await asItsUser("initdb", "-D", primary.folder, ...made);
  await appendFile(join(primary.folder, "postgresql.conf"), settings(primary));
  await startPostgres(asItsUser, primary.folder);
  await sql("CREATE DATABASE telltale");
  const from = `host=127.0.0.1 port=${primary.port} user=telltale application_name=standby`;
  await asItsUser("pg_basebackup", "-d", from, "-D", standby.folder, "-R", "-X", "stream", "-c", "fast");
  await appendFile(join(standby.folder, "postgresql.conf"), settings(standby));
  await startPostgres(asItsUser, standby.folder);
  await sql("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
  await sql("SELECT pg_reload_conf()");
};

/** Starts both, the standby confirming each commit, behind a proxy that leads to the first one. */
export const startPostgresPair = async (): Promise<PostgresPair> => {
  const folder = await mkdtemp(join(tmpdir(), "telltale-standby-"));
  await giveAway(folder);
  const primary = { folder: join(folder, "primary"), port: await freePort() };
  const standby = { folder: join(folder, "standby"), port: await freePort() };
  const end = async (): Promise<void> => {
    for (const each of [primary, standby]) await endPostgres(asItsUser, each.folder).catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await startPair(primary, standby);
  } catch (fault) {
    await end();
    throw fault;
  }
  const proxy = await startTcpProxy({ host: "127.0.0.1", port: primary.port });
  return {
    url: `postgres://telltale@127.0.0.1:${proxy.port}/telltale`,
    failOver: async () => {
      await endPostgres(asItsUser, primary.folder);
      await asItsUser("pg_ctl", "promote", "-w", "-s", "-D", standby.folder);
      proxy.redirect({ host: "127.0.0.1", port: standby.port });
    },
    stop: async () => {
      await proxy.stop();
      await end();
    },
  };
};
