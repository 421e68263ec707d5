import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { codeOf } from "../../fault.ts";

/** Advisory lock 'a server works on this cluster'; an arbitrary number that must be the same in every version. */
const lockNumber = 8_021_974;

const wrongPassword = "28P01";

/** Another server process is using this DATA_DIR. */
export class DatabaseInUse extends Error {}

const holderOf = async (client: pg.Client): Promise<string> => {
  const { rows } = await client.query<{ name: string }>(
    `select application_name as name from pg_locks join pg_stat_activity using (pid) where locktype = 'advisory' and objid = $1 and granted`,
    [lockNumber],
  );
  return rows[0]?.name ?? "another process";
};

/** A connection, and a promise that resolves when it ends. */
export interface Session {
  client: pg.Client;
  ended: Promise<void>;
}

const connect = async (url: string): Promise<Session | undefined> => {
  const client = new pg.Client({ connectionString: url, application_name: `process ${process.pid}`, keepAlive: true });
  client.on("error", () => undefined); // followed by "end", which is what counts
  const ended = new Promise<void>((resolve) => client.once("end", () => resolve()));
  try {
    await client.connect();
    return { client, ended };
  } catch (cause) {
    void client.end().catch(() => undefined);
    if (codeOf(cause) === wrongPassword) {
      throw new Error("postgres-password in DATA_DIR is not the password this database was created with", { cause });
    }
    return undefined;
  }
};

/** Milliseconds between two tries: usually it takes moments, but a recovery may take long, and every try leaves two lines in PostgreSQL's log. */
const shortestPause = 20;
const longestPause = 1_000;

/** Connects as soon as PostgreSQL answers; undefined when `isWorthWaiting` turns false. */
export const connectWhenReady = async (url: string, isWorthWaiting: () => boolean): Promise<Session | undefined> => {
  for (let pause = shortestPause; isWorthWaiting(); pause = Math.min(longestPause, pause * 1.1)) {
    const session = await connect(url);
    if (session) return session;
    await sleep(pause);
  }
  return undefined;
};

/**
 * Takes the cluster's lock for as long as this connection lives. It is a database lock because PostgreSQL notices at once when a process is gone,
 * even by kill -9.
 */
export const lockCluster = async (client: pg.Client): Promise<void> => {
  const take = () => client.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [lockNumber]);
  // PostgreSQL notices the end of a killed server's connection within moments.
  for (let attempt = 0; attempt < 20; attempt += 1) {
    if ((await take()).rows[0]?.taken) return;
    await sleep(50);
  }
  throw new DatabaseInUse(await holderOf(client));
};
