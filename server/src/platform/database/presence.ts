import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { DatabaseLog } from "./embedded/log.ts";
import {
  endFormerSessions,
  holderOf,
  isRestore,
  isSame,
  makeWayChannel,
  openSession,
  type Session,
  tryLock,
} from "./serving-lock.ts";

/** That this server serves, and no other. */
export interface Presence {
  /** Marks in the database, which has this version's schema by now, that this run of a server serves it. */
  register(): Promise<void>;
  /** Throws unless this server has the lock in the database that the connection leads to. Waits a little while the lock is being regained. */
  confirm(connection: pg.ClientBase): Promise<void>;
  end(): Promise<void>;
}

interface Needs {
  url: string;
  log: DatabaseLog;
  /** The database is about to be replaced, or has been another's meanwhile: stop all that knows anything of it, and end this presence. Called once. */
  onStopForRestore: (reason: string) => void;
}

/** Another server serves the database. */
export class DatabaseServed extends Error {}

interface Held {
  client: pg.Client;
  session: Session;
}

/** Milliseconds between two tries to get the lock, or a connection. */
const pause = 100;
/** How long it is tried at the start, milliseconds: the session of a server that was just killed ends within moments. */
const startPatience = 3_000;
/** Longest wait of a new connection for the lock to be regained, milliseconds. */
const regainPatience = 5_000;

const replaced = "The database is about to be replaced by a backup: the server makes way";
const takenOver = "The database has been another server's, or a restore's, meanwhile: this server starts anew";

const servedBy = ({ name }: Session): DatabaseServed =>
  new DatabaseServed(
    `Another Telltale serves this database already (${name}): end it first, or give this one another DATABASE_URL. If that machine has lost its power or network, its claim ends within a minute: start again then`,
  );

/** Takes the lock, or says who has it. A restore is waited for. */
const takeLock = async (client: pg.Client, log: DatabaseLog): Promise<void> => {
  let isRestoring = false;
  for (let waited = 0; !(await tryLock(client)); ) {
    await sleep(pause);
    const holder = await holderOf(client);
    if (!holder) continue;
    if (isRestore(holder)) {
      if (!isRestoring) log.info("A backup is being restored: the server goes on when that is done");
      isRestoring = true;
      waited = 0;
    } else if (waited >= startPatience) throw servedBy(holder);
    else waited += pause;
  }
};

type Regained = "held" | "not yet" | "taken over";

const isRun = async (client: pg.Client, runId: string | undefined): Promise<boolean> => {
  const { rows } = await client.query<{ run_id: string }>("SELECT run_id FROM serving");
  return runId !== undefined && rows[0]?.run_id === runId;
};

/** Takes the lock again after `former` was lost. Whoever had the database meanwhile has left another run's number, and what this server knows is outdated. */
const regain = async (client: pg.Client, former: Session, runId: string | undefined): Promise<Regained> => {
  if (await tryLock(client)) return (await isRun(client, runId)) ? "held" : "taken over";
  const holder = await holderOf(client);
  if (!holder) return "not yet";
  if (!isSame(holder, former)) return "taken over";
  // PostgreSQL has not noticed yet that the path to the former session is dead.
  await client.query("SELECT pg_terminate_backend($1)", [former.pid]);
  return "not yet";
};

/** The lock in this server's hand: lost with its connection, and taken again. */
interface Grip {
  hold(held: Held): Promise<void>;
  lost(held: Held): void;
  /** What holds the lock; waits a little while it is being regained, and gives undefined when that takes long or is over. */
  held(): Promise<Held | undefined>;
  end(): Promise<void>;
  /** Of this run of the server; given once the database has it. */
  runId: string | undefined;
}

const createGrip = ({ url, log, onStopForRestore }: Needs, name: string): Grip => {
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
  const comeBackOnce = async (former: Session): Promise<Regained> => {
    const next = await openSession(url, name);
    try {
      const regained = await regain(next.client, former, grip.runId);
      if (regained === "held") await grip.hold(next);
      else await next.client.end();
      return regained;
    } catch (fault) {
      await next.client.end().catch(() => undefined);
      throw fault;
    }
  };
  const comeBack = async (former: Session): Promise<void> => {
    while (!isOver) {
      const regained = await comeBackOnce(former).catch((): Regained => "not yet");
      if (regained === "taken over") stopForRestore(takenOver);
      if (regained !== "not yet") return;
      await sleep(pause, undefined, { ref: false });
    }
  };
  const grip: Grip = {
    runId: undefined,
    hold: async (held) => {
      held.client.on("notification", () => stopForRestore(replaced));
      held.client.once("end", () => grip.lost(held));
      await held.client.query(`LISTEN ${makeWayChannel}`);
      if (isOver) {
        // It ended while this session was being opened: nobody else would ever give the lock back.
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
      log.warn("The connection that holds the database for this server was lost: connecting again");
      void held.client.end().catch(() => undefined);
      void comeBack(held.session);
    },
    held: () => Promise.race([over.promise, holding.promise, sleep(regainPatience, undefined, { ref: false })]),
    end: async () => {
      finish();
      await current?.client.end().catch(() => undefined);
    },
  };
  return grip;
};

const registering =
  "INSERT INTO serving (run_id) VALUES ($1) ON CONFLICT (is_only) DO UPDATE SET run_id = excluded.run_id";

/**
 * Takes the database's lock and keeps it until `end`; fails with DatabaseServed when another server has it. When the connection is lost, the lock
 * is taken again, and meanwhile no connection is confirmed.
 */
export const announcePresence = async (needs: Needs): Promise<Presence> => {
  const name = `telltale process ${process.pid} on ${hostname()}`;
  const grip = createGrip(needs, name);
  const first = await openSession(needs.url, name);
  try {
    await takeLock(first.client, needs.log);
    await endFormerSessions(first.client);
    await grip.hold(first);
  } catch (fault) {
    await first.client.end().catch(() => undefined);
    throw fault;
  }
  return {
    register: async () => {
      const runId = randomUUID();
      await (await grip.held())?.client.query(registering, [runId]);
      grip.runId = runId;
    },
    confirm: async (connection) => {
      const held = await grip.held();
      if (held && isSame(await holderOf(connection), held.session)) return;
      if (held) grip.lost(held);
      throw new Error("This server does not hold the database at the moment");
    },
    end: grip.end,
  };
};
