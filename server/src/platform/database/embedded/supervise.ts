import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Binaries } from "./binaries.ts";
import { connectWhenReady, DatabaseInUse, lockCluster, type Session } from "./lock.ts";
import type { DatabaseLog } from "./log.ts";
import type { Place } from "./place.ts";
import {
  endPostmaster,
  forceFastShutdown,
  isAlive,
  lastError,
  limitLog,
  runningPostmaster,
  startPostmaster,
} from "./postmaster.ts";
import type { Settings } from "./settings.ts";

/**
 * Stops a PostgreSQL that outlived its server (kill -9 ends the server alone), so that the next one is a child of this server, with this version's
 * programs and settings. Throws DatabaseInUse when its server is alive.
 */
const endOrphan = async (place: Place, adminUrl: string, log: DatabaseLog): Promise<void> => {
  const pid = await runningPostmaster(place);
  if (!pid) return;
  const timeout = AbortSignal.timeout(60_000);
  const session = await connectWhenReady(adminUrl, () => !timeout.aborted);
  try {
    // It may belong to a live server whose lock cannot be asked for: ending it would take that server's database away.
    if (!session)
      throw new Error(`PostgreSQL (process ${pid}) runs in ${place.dataDir} and does not answer: it may be recovering`);
    await lockCluster(session.client);
    log.warn(`PostgreSQL (process ${pid}) is still running after its server has ended: restarting it`);
    await endPostmaster(pid);
  } finally {
    await session?.client.end().catch(() => undefined);
  }
};

/** Inputs of the supervision. */
export interface Supervised {
  place: Place;
  binaries: Binaries;
  /** Superuser connection string, for lock and provisioning. */
  adminUrl: string;
  settings?: Settings | undefined;
  log: DatabaseLog;
}

const shortestPause = 100;
const longestPause = 5_000;
/** Interval of checks for a shutdown of PostgreSQL requested from outside, and of the length of its log, milliseconds. */
const lookEvery = 2_000;
/** Attempts at the first start: enough for the processes of a killed PostgreSQL to end, few enough to report a failure soon. */
const firstAttempts = 6;

interface Run {
  child: ChildProcess;
  /** The connection that holds the lock. It ends when PostgreSQL stops or resets its connections after an internal crash. */
  lock: Session;
}

const endChild = async (child: ChildProcess | undefined): Promise<void> => {
  if (child?.pid && isAlive(child)) await endPostmaster(child.pid);
};

/** Starts PostgreSQL and takes its lock. */
const startOnce = async ({ place, binaries, adminUrl, settings, log }: Supervised): Promise<Run> => {
  await endOrphan(place, adminUrl, log);
  const child = await startPostmaster(place, binaries, settings);
  try {
    const lock = await connectWhenReady(adminUrl, () => isAlive(child));
    if (!lock) throw new Error(`PostgreSQL does not start: ${await lastError(place)}`);
    await lockCluster(lock.client);
    return { child, lock };
  } catch (cause) {
    await endChild(child);
    throw cause;
  }
};

/** Retries the start with growing delays while `isWanted`; throws after `attempts`. */
const startWithRetries = async (
  needs: Supervised,
  attempts: number,
  isWanted: () => boolean,
): Promise<Run | undefined> => {
  for (let attempt = 1; isWanted(); attempt += 1) {
    try {
      return await startOnce(needs);
    } catch (cause) {
      if (cause instanceof DatabaseInUse || attempt >= attempts) throw cause;
      needs.log.error(cause instanceof Error ? cause.message : String(cause));
      await sleep(Math.min(longestPause, shortestPause * 2 ** attempt));
    }
  }
  return undefined;
};

/** Reconnects after a crash of one of PostgreSQL's processes, from which it recovers itself; otherwise restarts it at the same address. */
const recover = async (needs: Supervised, { child }: Run, isWanted: () => boolean): Promise<Run | undefined> => {
  const lock = await connectWhenReady(needs.adminUrl, () => isWanted() && isAlive(child));
  if (!lock) return startWithRetries(needs, Number.POSITIVE_INFINITY, isWanted);
  await lockCluster(lock.client);
  return { child, lock };
};

/** Retries the recovery for as long as the server runs. */
const recoverWithRetries = async (needs: Supervised, run: Run, isWanted: () => boolean): Promise<Run | undefined> => {
  while (isWanted()) {
    try {
      return await recover(needs, run, isWanted);
    } catch (cause) {
      needs.log.error(
        `Could not restart PostgreSQL, trying again in 5 s: ${cause instanceof Error ? cause.message : String(cause)}`,
      );
      await sleep(longestPause);
    }
  }
  return undefined;
};

const startFirst = async (needs: Supervised, first: (client: pg.Client) => Promise<void>): Promise<Run> => {
  const run = await startWithRetries(needs, firstAttempts, () => true);
  if (!run) throw new Error("PostgreSQL was not started");
  try {
    await first(run.lock.client);
    return run;
  } catch (cause) {
    await endChild(run.child);
    throw cause;
  }
};

/** Starts PostgreSQL and keeps it running until `stop`. `first` gets the superuser's connection before any other client connects. */
export const supervise = async (
  needs: Supervised,
  first: (client: pg.Client) => Promise<void>,
): Promise<{ stop(): Promise<void> }> => {
  let wanted = true;
  const isWanted = () => wanted;
  let run = await startFirst(needs, first);

  const watch = async (): Promise<void> => {
    while (wanted) {
      await run.lock.ended;
      if (!wanted) return;
      needs.log.error(
        "PostgreSQL stopped unexpectedly: restarting it. Calls and readings wait or are refused meanwhile",
      );
      const recovered = await recoverWithRetries(needs, run, isWanted);
      if (!recovered) return;
      run = recovered;
      needs.log.info("PostgreSQL is running again");
    }
  };
  const watching = watch();
  const look = setInterval(() => {
    void forceFastShutdown(needs.place, run.child);
    void limitLog(needs.place).catch(() => undefined);
  }, lookEvery);
  look.unref();

  return {
    stop: async () => {
      wanted = false;
      clearInterval(look);
      await endChild(run.child);
      await watching;
      // A restart in progress may have continued until now.
      await endChild(run.child);
    },
  };
};
