import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { codeOf } from "../fault.ts";
import { keptAlive, pooledName } from "./connect.ts";

/**
 * Advisory lock 'serves or restores this database'; an arbitrary number that must be the same in every version. The lock belongs to a session, so
 * PostgreSQL releases it when the process is gone, even by kill -9.
 */
const lockNumber = 8_021_976;

/** Whether the lock is held by one server, or by every node of a cluster. A restore always holds it alone. */
export type Sharing = "alone" | "shared";

/** Notification channel on which a restore asks the serving server for the lock. */
export const releaseRequestChannel = "telltale_make_way";

const restoreName = "telltale restore";

/** A session as in pg_stat_activity. */
export interface Session {
  pid: number;
  name: string;
}

/**
 * Prepares the session that will hold the lock: no timeouts, as it idles. Over TCP, PostgreSQL ends it within a minute after the other host has
 * disappeared (a power cut); the holder itself notices a dead path sooner (`keptAlive`, 40 s), before another gets the lock. application_name is set
 * here because a name in DATABASE_URL overrides the driver's option.
 */
const prepare = async (client: pg.Client, name: string): Promise<Session> => {
  await client.query(
    "SET statement_timeout = 0; SET lock_timeout = 0; SET idle_session_timeout = 0; SET idle_in_transaction_session_timeout = 0",
  );
  await client.query("SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3");
  const { rows } = await client.query<Session>(
    "SELECT pg_backend_pid() AS pid, set_config('application_name', $1, false) AS name",
    [name.slice(0, 63)],
  );
  if (!rows[0]) throw new Error("The database does not tell its session");
  return rows[0];
};

/** Opens a session for the lock. */
export const openSession = async (url: string, name: string): Promise<{ client: pg.Client; session: Session }> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, ...keptAlive });
  client.on("error", () => undefined); // followed by "end", which is what counts
  try {
    await client.connect();
    return { client, session: await prepare(client, name) };
  } catch (fault) {
    await client.end().catch(() => undefined);
    throw fault;
  }
};

const taking: Record<Sharing, string> = {
  alone: "SELECT pg_try_advisory_lock($1) AS taken",
  shared: "SELECT pg_try_advisory_lock_shared($1) AS taken",
};

/** Takes the lock for as long as the session lives; false when another session's hold excludes it. */
export const tryLock = async (client: pg.Client, sharing: Sharing): Promise<boolean> => {
  const { rows } = await client.query<{ taken: boolean }>(taking[sharing], [lockNumber]);
  return rows[0]?.taken ?? false;
};

const requesting = `SELECT l.pid, coalesce(a.application_name, '') AS name FROM pg_locks l LEFT JOIN pg_stat_activity a USING (pid)
  WHERE l.locktype = 'advisory' AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND l.classid = 0 AND l.objid = ${lockNumber} AND l.objsubid = 1`;

/** The sessions that hold the lock: one server or restore, or the nodes of a cluster. */
export const holdersOf = async (client: pg.ClientBase): Promise<Session[]> =>
  (await client.query<Session>(`${requesting} AND l.granted`)).rows;

export const isAmong = (sessions: readonly Session[], { pid, name }: Session): boolean =>
  sessions.some((session) => session.pid === pid && session.name === name);

/** Whether a restore holds the lock, or waits for the nodes to release it. */
export const isRestoring = async (client: pg.ClientBase): Promise<boolean> =>
  (await client.query<Session>(requesting)).rows.some(({ name }) => name === restoreName);

/** Longest wait for the sessions of an earlier server to end, milliseconds. */
const longestEnd = 10_000;
const pause = 50;

const othersOfServers = `FROM pg_stat_activity WHERE datname = current_database() AND application_name = '${pooledName}' AND pid <> pg_backend_pid()`;

/**
 * Terminates the sessions of a server that held the lock before: PostgreSQL may still regard a disappeared host's sessions as alive, and a server
 * that lost the lock without noticing must not write beside its successor. It gets no new usable session (`Presence.confirm`).
 */
export const endFormerSessions = async (client: pg.Client): Promise<void> => {
  await client.query(`SELECT pg_terminate_backend(pid) ${othersOfServers} AND usename = current_user`);
  for (let waited = 0; waited < longestEnd; waited += pause) {
    const { rows } = await client.query<{ left: number }>(`SELECT count(*)::int AS left ${othersOfServers}`);
    if (rows[0]?.left === 0) return;
    await sleep(pause);
  }
  throw new Error(
    "The database sessions of the previous server do not end: terminate them in PostgreSQL (pg_terminate_backend) and start again",
  );
};

/** Longest wait for the server to release the lock, and after which part of it the server is asked again; seconds. */
const lockTimeout = 60;
const askEvery = 2;

/** The server did not release the lock in time. */
export class ServerNotStopped extends Error {}

/**
 * Asks the serving server, or all nodes, to release the lock, and takes it. Asks again: a server that stops before this session waits for the lock
 * would start and take it once more.
 */
const takeFromServer = async (client: pg.Client): Promise<void> => {
  await client.query(`SET lock_timeout = '${askEvery}s'`);
  for (let waited = 0; ; waited += askEvery) {
    await client.query(`NOTIFY ${releaseRequestChannel}`);
    try {
      await client.query("SELECT pg_advisory_lock($1)", [lockNumber]);
      break;
    } catch (cause) {
      if (codeOf(cause) !== "55P03") throw cause;
      if (waited >= lockTimeout)
        throw new ServerNotStopped(`The running server did not release the database within ${lockTimeout} s`, {
          cause,
        });
    }
  }
  await client.query("SET lock_timeout = 0");
};

/** Asks the serving server to stop and release the lock, runs `work`, and releases the lock so that the server restarts. */
export const whileServerStopped = async <T>(client: pg.Client, work: () => Promise<T>): Promise<T> => {
  await prepare(client, restoreName);
  await takeFromServer(client);
  try {
    await endFormerSessions(client);
    return await work();
  } finally {
    await client.query("SELECT pg_advisory_unlock($1)", [lockNumber]).catch(() => undefined);
  }
};
