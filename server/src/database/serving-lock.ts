import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { keptAlive } from "./connect.ts";
import type { DatabaseLog } from "./embedded/log.ts";

/**
 * Servers share this lock for as long as they serve; whoever replaces the whole database (a restore) takes it alone. It belongs to a
 * connection, so nobody keeps it who is gone, be it by kill -9.
 */
const lockNumber = 8_021_976;
/** The channel on which somebody says that the lock is wanted alone. */
const channel = "telltale_make_way";

/** Wait before a lost connection is made again, milliseconds; whoever takes the lock alone waits longer than this before the first change. */
const pause = 1_000;
const pauseOfOthers = 3 * pause;

/** That this server serves. */
export interface Presence {
  end(): Promise<void>;
}

interface Needs {
  url: string;
  log: DatabaseLog;
  /** Somebody wants to replace the database, or has: stop all that knows anything of it, and end this presence. Called once. */
  onMakeWay: () => void;
}

const connect = async (url: string, name: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url, application_name: `telltale ${name}`, ...keptAlive });
  client.on("error", () => undefined); // followed by "end", which is what counts
  await client.connect();
  await client.query("SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0");
  return client;
};

const takeShared = async (client: pg.Client, log: DatabaseLog): Promise<void> => {
  const { rows } = await client.query<{ taken: boolean }>("SELECT pg_try_advisory_lock_shared($1) AS taken", [
    lockNumber,
  ]);
  if (rows[0]?.taken) return;
  log.info("A backup is being restored: the server goes on when that is done");
  await client.query("SELECT pg_advisory_lock_shared($1)", [lockNumber]);
};

/** Waits until nobody has the lock alone, and keeps others from taking it until `end`. */
export const announcePresence = async ({ url, log, onMakeWay }: Needs): Promise<Presence> => {
  let isOver = false;
  const makeWay = (): void => {
    if (isOver) return;
    isOver = true;
    onMakeWay();
  };
  let client: pg.Client;
  const listen = async (): Promise<void> => {
    client.on("notification", makeWay);
    client.once("end", () => void (isOver || comeBack()));
    await client.query(`LISTEN ${channel}`);
  };
  // While the connection was lost the database may have been replaced: then nothing that this server knows holds any more.
  const comeBack = async (): Promise<void> => {
    while (!isOver) {
      await sleep(pause, undefined, { ref: false });
      const next = await connect(url, "server").catch(() => undefined);
      if (!next) continue;
      client = next;
      const { rows } = await next
        .query<{ taken: boolean }>("SELECT pg_try_advisory_lock_shared($1) AS taken", [lockNumber])
        .catch(() => ({ rows: [] }));
      if (rows[0]?.taken) return void (await listen().catch(() => undefined));
      await next.end().catch(() => undefined);
      if (rows.length > 0) return makeWay();
    }
  };
  client = await connect(url, "server");
  await takeShared(client, log);
  await listen();
  return {
    end: async () => {
      isOver = true;
      await client.end().catch(() => undefined);
    },
  };
};

/** Longest wait for the servers to make way, seconds. */
const patience = 60;

/** Servers did not make way in time. */
export class StillServed extends Error {}

/** Asks every server of this database to make way, does `work` when they have, and lets them go on. */
export const withoutServers = async <T>(client: pg.Client, work: () => Promise<T>): Promise<T> => {
  await client.query(`NOTIFY ${channel}`);
  await client.query(`SET lock_timeout = '${patience}s'`);
  try {
    await client.query("SELECT pg_advisory_lock($1)", [lockNumber]);
  } catch (cause) {
    if ((cause as { code?: string }).code === "55P03")
      throw new StillServed(`A server did not make way within ${patience} s`, { cause });
    throw cause;
  }
  try {
    // A server whose connection was just lost has come back by then, sees the lock and makes way too.
    await sleep(pauseOfOthers);
    return await work();
  } finally {
    await client.query("SELECT pg_advisory_unlock($1)", [lockNumber]).catch(() => undefined);
  }
};
