import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { codeOf } from "../../fault.ts";

/** Any number, the same in every version: the lock that says 'a server works on this cluster'. */
const lockNumber = 8_021_974;

const wrongPassword = "28P01";

/** Another living server works in this DATA_DIR. */
export class DatabaseInUse extends Error {}

const holderOf = async (client: pg.Client): Promise<string> => {
  const { rows } = await client.query<{ name: string }>(
    `select application_name as name from pg_locks join pg_stat_activity using (pid) where locktype = 'advisory' and objid = $1 and granted`,
    [lockNumber],
  );
  return rows[0]?.name ?? "another process";
};

/** A connection, and the moment it ends, however that comes. */
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

/** Milliseconds between two tries: it mostly takes moments, but a recovery may take long, and every try leaves two lines in its log. */
const shortestPause = 20;
const longestPause = 1_000;

/** Connects as soon as PostgreSQL answers; undefined when `isWorthWaiting` says that it will not any more. */
export const connectWhenReady = async (url: string, isWorthWaiting: () => boolean): Promise<Session | undefined> => {
  for (let pause = shortestPause; isWorthWaiting(); pause = Math.min(longestPause, pause * 1.1)) {
    const session = await connect(url);
    if (session) return session;
    await sleep(pause);
  }
  return undefined;
};

/**
 * Takes the lock of the cluster for as long as this connection lives. It lives in the database because that is the one
 * thing that knows at once when a process is gone, be it by kill -9.
 */
export const lockCluster = async (client: pg.Client): Promise<void> => {
  const take = () => client.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [lockNumber]);
  // The connection of a server just killed is noticed within moments.
  for (let attempt = 0; attempt < 20; attempt += 1) {
    if ((await take()).rows[0]?.taken) return;
    await sleep(50);
  }
  throw new DatabaseInUse(await holderOf(client));
};
