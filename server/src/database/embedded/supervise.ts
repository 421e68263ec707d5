import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Binaries } from "./binaries.ts";
import { connectWhenReady, DatabaseInUse, lockCluster } from "./lock.ts";
import type { DatabaseLog } from "./log.ts";
import { endOrphan } from "./orphan.ts";
import type { Place } from "./place.ts";
import { endPostmaster, isAlive, lastComplaint, startPostmaster } from "./postmaster.ts";
import type { Settings } from "./settings.ts";

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
/** At the first start: long enough for the processes of a PostgreSQL that was killed to notice, short enough to be told. */
const firstAttempts = 6;

interface Run {
  child: ChildProcess;
  lock: pg.Client;
}

const endChild = async (child: ChildProcess | undefined): Promise<void> => {
  if (child?.pid && isAlive(child)) await endPostmaster(child.pid);
};

/** Starts PostgreSQL and takes its lock. */
const startOnce = async ({ place, binaries, adminUrl, settings, log }: Supervised): Promise<Run> => {
  await endOrphan(place, adminUrl, log);
  const child = await startPostmaster(place, binaries, settings);
  const lock = await connectWhenReady(adminUrl, () => isAlive(child));
  if (!lock) throw new Error(`PostgreSQL does not start: ${await lastComplaint(place)}`);
  try {
    await lockCluster(lock);
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

/** Waits until the lock's connection ends: PostgreSQL is gone, or has thrown everybody out after a crash inside. */
const interruption = (lock: pg.Client): Promise<void> => new Promise((resolve) => lock.once("end", () => resolve()));

/** After a crash of one of its processes PostgreSQL comes back by itself; else it is started again, at the same address. */
const recover = async (needs: Supervised, { child }: Run, isWanted: () => boolean): Promise<Run | undefined> => {
  const lock = await connectWhenReady(needs.adminUrl, () => isWanted() && isAlive(child));
  if (!lock) return startPatiently(needs, Number.POSITIVE_INFINITY, isWanted);
  await lockCluster(lock);
  return { child, lock };
};

/** Starts PostgreSQL, keeps it running until `stop`; `first` sees the superuser's connection before anybody else connects. */
export const supervise = async (
  needs: Supervised,
  first: (client: pg.Client) => Promise<void>,
): Promise<{ stop(): Promise<void> }> => {
  let isWanted = true;
  let run = await startPatiently(needs, firstAttempts, () => isWanted);
  if (!run) throw new Error("PostgreSQL was not started");
  try {
    await first(run.lock);
  } catch (cause) {
    await endChild(run.child);
    throw cause;
  }

  const watch = async (): Promise<void> => {
    while (isWanted && run) {
      await interruption(run.lock);
      if (!isWanted) return;
      needs.log.error("PostgreSQL was interrupted: bringing it back");
      run = await recover(needs, run, () => isWanted);
      if (run) needs.log.info("PostgreSQL is back");
    }
  };
  const watching = watch().catch((cause: unknown) => needs.log.error(`PostgreSQL is lost: ${String(cause)}`));

  return {
    stop: async () => {
      isWanted = false;
      await endChild(run?.child);
      await watching;
    },
  };
};
