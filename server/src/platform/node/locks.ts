import pg from "pg";
import { idleLimitOfNodes, keptAlive } from "../database/connect.ts";
import type { DatabaseLog } from "../database/embedded/log.ts";
import { endStandingSessions } from "./standing-sessions.ts";

/** First key of the advisory locks of a cluster's jobs and roles; an arbitrary number that must be the same in every version. */
const lockClass = 8_021_979;

// Prepared: jobs take and release them several times a second.
const taking = { name: "take-lock", text: "SELECT pg_try_advisory_lock($1, hashtext($2)) AS taken" };
const releasing = { name: "release-lock", text: "SELECT pg_advisory_unlock($1, hashtext($2))" };

/** Advisory locks by name, on one session of their own: PostgreSQL releases them when the node dies. */
export interface NodeLocks {
  /** Takes the lock; false when another session, or other work of this node, has it. Connects again when the session was lost. */
  take(name: string): Promise<boolean>;
  /** Whether this session has the lock. */
  has(name: string): boolean;
  release(name: string): Promise<void>;
  end(): Promise<void>;
}

/** When the session of a node that stands still ends, and how often one that does not says so, and ends what others have left standing; milliseconds. */
export interface LockTimes {
  idle: number;
  beat: number;
}

const lockTimes: LockTimes = { idle: 15_000, beat: 500 };

const open = async (url: string, { idle }: LockTimes): Promise<pg.Client> => {
  const client = new pg.Client({
    connectionString: url,
    application_name: "telltale node",
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
    ...keptAlive,
  });
  client.on("error", () => undefined); // followed by "end", which is what counts
  await client.connect();
  // A node that stands still, or whose host has disappeared, loses its jobs to the others.
  await client.query(
    `SET idle_session_timeout = ${idle}; SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3`,
  );
  return client;
};

/** Creates the session of a node's locks; it connects at the first use. */
export const createLocks = (url: string, log: DatabaseLog, times: LockTimes = lockTimes): NodeLocks => {
  const held = new Set<string>();
  let opening: Promise<pg.Client> | undefined;
  let beating: NodeJS.Timeout | undefined;
  const forget = (): void => {
    opening = undefined;
    clearInterval(beating);
    if (held.size > 0)
      log.warn("Lost the database session that holds this node's jobs; another node may take them over. Reconnecting");
    held.clear();
  };
  let last: Promise<unknown> = Promise.resolve();
  /** One query after the other, as the session takes them. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };
  const end = async (): Promise<void> => {
    const client = await opening?.catch(() => undefined);
    await client?.end().catch(() => undefined);
  };
  const connected = (): Promise<pg.Client> => {
    opening ??= open(url, times).then((client) => {
      client.once("end", forget);
      // Often: devices wait for what another node that stands still has locked.
      const beat = () => void inTurn(() => endStandingSessions(client, log, idleLimitOfNodes)).catch(end);
      beating = setInterval(beat, times.beat).unref();
      return client;
    });
    return opening.catch((fault: unknown) => {
      opening = undefined;
      throw fault;
    });
  };
  return {
    take: async (name) => {
      if (held.has(name)) return false;
      held.add(name);
      try {
        const client = await connected();
        const { rows } = await inTurn(() => client.query<{ taken: boolean }>({ ...taking, values: [lockClass, name] }));
        if (rows[0]?.taken && held.has(name)) return true;
        held.delete(name);
        return false;
      } catch (fault) {
        held.delete(name);
        // Whether the lock was granted is unknown: ending the session releases it.
        await end();
        throw fault;
      }
    },
    has: (name) => held.has(name),
    release: async (name) => {
      if (!held.delete(name)) return;
      // A session that can't release is ended: it would keep the lock for ever.
      const client = await opening?.catch(() => undefined);
      if (client) await inTurn(() => client.query({ ...releasing, values: [lockClass, name] })).catch(end);
    },
    end: () => {
      held.clear();
      return end();
    },
  };
};
