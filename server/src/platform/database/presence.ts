import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { DatabaseLog } from "./embedded/log.ts";
import {
  endFormerSessions,
  holdersOf,
  isAmong,
  isRestoring,
  openSession,
  releaseRequestChannel,
  type Session,
  type Sharing,
  tryLock,
} from "./serving-lock.ts";

/** This server's claim to serve the database: as the only one, or as a node of a cluster. */
export interface Presence {
  /** Records this server's run id in the database, which must have the current schema; a node adopts that of its cluster. Returns it. */
  register(): Promise<string>;
  /** Throws unless this server holds the lock in the connection's database. Waits a short time while the lock is being regained. */
  confirm(connection: pg.ClientBase): Promise<void>;
  end(): Promise<void>;
}

interface Needs {
  url: string;
  sharing: Sharing;
  log: DatabaseLog;
  /**
   * The database is about to be replaced, or another server has used it meanwhile: stop everything that caches its content, and end this presence.
   * Called once.
   */
  onStopForRestore: (reason: string) => void;
}

/** Another server serves the database. */
export class DatabaseServed extends Error {}

interface Held {
  client: pg.Client;
  session: Session;
}

/** Milliseconds between two tries for the lock, or a connection. */
const pause = 100;
/** How long the start retries, milliseconds: the session of a server that was just killed ends within moments. */
const startTimeout = 3_000;
/** Longest wait of a new connection for the lock, milliseconds. */
const regainTimeout = 5_000;

const replaced = "A backup is about to be restored: the server stops serving until that is done";
const takenOver = "Another server or a restore has used the database meanwhile: restarting with its current content";

const whatToDo: Record<Sharing, string> = {
  alone:
    "end it first, or give this one another DATABASE_URL. To run both as nodes of a cluster, give each the same NATS_URL",
  shared: "it runs without NATS_URL: end it and start it with the NATS_URL of its cluster",
};

const servedBy = ({ name }: Session, sharing: Sharing): DatabaseServed =>
  new DatabaseServed(
    `Another Telltale serves this database already (${name}): ${whatToDo[sharing]}. If that machine has lost power or network, its lock expires within a minute: start again then`,
  );

/** Takes the lock, or throws with the name of its holder. Waits for a restore. */
const takeLock = async (client: pg.Client, { log, sharing }: Pick<Needs, "log" | "sharing">): Promise<void> => {
  let isReported = false;
  for (let waited = 0; !(await tryLock(client, sharing)); ) {
    await sleep(pause);
    const [holder] = await holdersOf(client);
    if (await isRestoring(client)) {
      if (!isReported) log.info("A backup is being restored: the server starts when that is done");
      isReported = true;
      waited = 0;
    } else if (holder && waited >= startTimeout) throw servedBy(holder, sharing);
    else if (holder) waited += pause;
  }
};

type Regained = "held" | "not yet" | "taken over";

const isRun = async (client: pg.Client, runId: string | undefined): Promise<boolean> => {
  const { rows } = await client.query<{ run_id: string }>("SELECT run_id FROM serving");
  return runId !== undefined && rows[0]?.run_id === runId;
};

/** Ends the lost session when PostgreSQL has not noticed yet that its network path is dead. Returns whether it was there. */
const endLost = async (client: pg.Client, former: Session, holders: readonly Session[]): Promise<boolean> => {
  if (!isAmong(holders, former)) return false;
  await client.query("SELECT pg_terminate_backend($1)", [former.pid]);
  return true;
};

interface Lost {
  former: Session;
  runId: string | undefined;
  sharing: Sharing;
}

/**
 * Retakes the lock after the session `former` was lost. A server or restore that held it meanwhile has left another run id; then this server's caches
 * are stale.
 */
const regain = async (client: pg.Client, { former, runId, sharing }: Lost): Promise<Regained> => {
  const isTaken = await tryLock(client, sharing);
  const holders = await holdersOf(client);
  const wasThere = await endLost(client, former, holders);
  if (isTaken) return (await isRun(client, runId)) ? "held" : "taken over";
  return wasThere || holders.length === 0 ? "not yet" : "taken over";
};

/** This server's hold on the lock: lost with its connection, and regained. */
interface LockHold {
  hold(held: Held): Promise<void>;
  lost(held: Held): void;
  /** The session that holds the lock. Waits a short time while it is being regained; undefined when that takes too long or the hold has ended. */
  held(): Promise<Held | undefined>;
  end(): Promise<void>;
  /** Id of this run of the server; undefined until it is recorded in the database. */
  runId: string | undefined;
}

const createLockHold = ({ url, log, sharing, onStopForRestore }: Needs, name: string): LockHold => {
  let current: Held | undefined;
  let holding = Promise.withResolvers<Held>();
  const over = Promise.withResolvers<undefined>();
  let isOver = false;
  const finish = (): void => {
    isOver = true;
    over.resolve(undefined);
  };
  const stopForRestore = (reason: string): void => {
    if (isOver) return;
    finish();
    onStopForRestore(reason);
  };
  const regainOnce = async (former: Session): Promise<Regained> => {
    const next = await openSession(url, name);
    try {
      const regained = await regain(next.client, { former, runId: lockHold.runId, sharing });
      if (regained === "held") await lockHold.hold(next);
      else await next.client.end();
      return regained;
    } catch (fault) {
      await next.client.end().catch(() => undefined);
      throw fault;
    }
  };
  const regainWithRetries = async (former: Session): Promise<void> => {
    while (!isOver) {
      const regained = await regainOnce(former).catch((): Regained => "not yet");
      if (regained === "taken over") stopForRestore(takenOver);
      if (regained !== "not yet") return;
      await sleep(pause, undefined, { ref: false });
    }
  };
  const lockHold: LockHold = {
    runId: undefined,
    hold: async (held) => {
      held.client.on("notification", () => stopForRestore(replaced));
      held.client.once("end", () => lockHold.lost(held));
      await held.client.query(`LISTEN ${releaseRequestChannel}`);
      if (isOver) {
        // The hold ended while this session was being opened: close it, or the lock would never be released.
        await held.client.end();
        return;
      }
      current = held;
      holding.resolve(held);
    },
    lost: (held) => {
      if (isOver || current !== held) return;
      current = undefined;
      holding = Promise.withResolvers();
      log.warn("Lost the connection that holds the serving lock: reconnecting");
      void held.client.end().catch(() => undefined);
      void regainWithRetries(held.session);
    },
    held: () => Promise.race([over.promise, holding.promise, sleep(regainTimeout, undefined, { ref: false })]),
    end: async () => {
      finish();
      await current?.client.end().catch(() => undefined);
    },
  };
  return lockHold;
};

/** A node keeps the run id that it finds: only a server alone or a restore begins another run. */
const registering: Record<Sharing, string> = {
  alone:
    "INSERT INTO serving (run_id) VALUES ($1) ON CONFLICT (is_only) DO UPDATE SET run_id = excluded.run_id RETURNING run_id",
  shared:
    "INSERT INTO serving (run_id) VALUES ($1) ON CONFLICT (is_only) DO UPDATE SET run_id = serving.run_id RETURNING run_id",
};

/**
 * Takes the database's serving lock and keeps it until `end`. Throws DatabaseServed when another server holds it. When the connection is lost the
 * lock is regained, and no connection is confirmed meanwhile.
 */
export const announcePresence = async (needs: Needs): Promise<Presence> => {
  const name = `telltale process ${process.pid} on ${hostname()}`;
  const lockHold = createLockHold(needs, name);
  const first = await openSession(needs.url, name);
  try {
    await takeLock(first.client, needs);
    if (needs.sharing === "alone") await endFormerSessions(first.client);
    await lockHold.hold(first);
  } catch (fault) {
    await first.client.end().catch(() => undefined);
    throw fault;
  }
  return {
    register: async () => {
      const held = await lockHold.held();
      const found = await held?.client.query<{ run_id: string }>(registering[needs.sharing], [randomUUID()]);
      lockHold.runId = found?.rows[0]?.run_id;
      if (lockHold.runId === undefined) throw new Error("This server does not hold the database at the moment");
      return lockHold.runId;
    },
    confirm: async (connection) => {
      const held = await lockHold.held();
      if (held && isAmong(await holdersOf(connection), held.session)) return;
      if (held) lockHold.lost(held);
      throw new Error("This server does not hold the database at the moment");
    },
    end: lockHold.end,
  };
};
