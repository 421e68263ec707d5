import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Binaries } from "./binaries.ts";
import { connectWhenReady, DatabaseInUse, lockCluster, type Session } from "./lock.ts";
import type { DatabaseLog } from "./log.ts";
import type { Place } from "./place.ts";
import { endPostmaster, hastenEnd, isAlive, lastError, runningPostmaster, startPostmaster } from "./postmaster.ts";
import type { Settings } from "./settings.ts";

/**
 * Ends a PostgreSQL that outlived its server (kill -9 reaches the server alone), so that the next one is a child of
 * this server, with this version's programs and settings. Throws DatabaseInUse when its server is alive.
 */
const endOrphan = async (place: Place, adminUrl: string, log: DatabaseLog): Promise<void> => {
  const pid = await runningPostmaster(place);
  if (!pid) return;
  const patience = AbortSignal.timeout(60_000);
  const session = await connectWhenReady(adminUrl, () => !patience.aborted);
  try {
    if (session) await lockCluster(session.client);
    log.warn(`PostgreSQL (process ${pid}) outlived its server: ending it to start it anew`);
    await endPostmaster(pid);
  } finally {
    await session?.client.end().catch(() => undefined);
  }
};

/** What a supervised PostgreSQL needs. */
export interface Supervised {
  place: Place;
  binaries: Binaries;
  /** Address for the superuser: for the lock and the provisioning. */
  adminUrl: string;
  settings?: Settings | undefined;
  log: DatabaseLog;
}

const shortestPause = 100;
const longestPause = 5_000;
/** How often it is looked whether somebody else has told PostgreSQL to end, milliseconds. */
const lookEvery = 2_000;
/** At the first start: long enough for the processes of a PostgreSQL that was killed to notice, short enough to be told. */
const firstAttempts = 6;

interface Run {
  child: ChildProcess;
  /** The connection that holds the lock. It ends when PostgreSQL is gone, or has thrown everybody out after a crash inside. */
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

/** Tries again and again, ever more slowly, while `isWanted`; gives up after `attempts`. */
const startPatiently = async (
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

/** After a crash of one of its processes PostgreSQL comes back by itself; else it is started again, at the same address. */
const recover = async (needs: Supervised, { child }: Run, isWanted: () => boolean): Promise<Run | undefined> => {
  const lock = await connectWhenReady(needs.adminUrl, () => isWanted() && isAlive(child));
  if (!lock) return startPatiently(needs, Number.POSITIVE_INFINITY, isWanted);
  await lockCluster(lock.client);
  return { child, lock };
};

/** Recovers whatever comes between, for as long as the server runs. */
const recoverAtLast = async (needs: Supervised, run: Run, isWanted: () => boolean): Promise<Run | undefined> => {
  while (isWanted()) {
    try {
      return await recover(needs, run, isWanted);
    } catch (cause) {
      needs.log.error(
        `PostgreSQL could not be brought back: ${cause instanceof Error ? cause.message : String(cause)}`,
      );
      await sleep(longestPause);
    }
  }
  return undefined;
};

const startFirst = async (needs: Supervised, first: (client: pg.Client) => Promise<void>): Promise<Run> => {
  const run = await startPatiently(needs, firstAttempts, () => true);
  if (!run) throw new Error("PostgreSQL was not started");
  try {
    await first(run.lock.client);
    return run;
  } catch (cause) {
    await endChild(run.child);
    throw cause;
  }
};

/** Starts PostgreSQL, keeps it running until `stop`; `first` sees the superuser's connection before anybody else connects. */
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
      needs.log.error("PostgreSQL was interrupted: bringing it back");
      const recovered = await recoverAtLast(needs, run, isWanted);
      if (!recovered) return;
      run = recovered;
      needs.log.info("PostgreSQL is back");
    }
  };
  const watching = watch();
  const look = setInterval(() => void hastenEnd(needs.place, run.child), lookEvery);
  look.unref();

  return {
    stop: async () => {
      wanted = false;
      clearInterval(look);
      await endChild(run.child);
      await watching;
      // A start under way has gone on until now.
      await endChild(run.child);
    },
  };
};
