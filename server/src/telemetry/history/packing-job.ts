import { withJobMetrics } from "../../platform/jobs/with-job-metrics.ts";
import type { World } from "../../world.ts";
import type { Writer } from "../ingest/writer.ts";
import { hotHours, isSealed, packHourRange } from "./packing.ts";

export interface PackingJob {
  start(): void;
  stop(): Promise<void>;
  /** Packs what is due now; returns the number of packed rows written. */
  run(): Promise<number>;
}

/** Interval of the job, and how long an hour must be without new readings before late data in it is packed; milliseconds. */
const every = 20_000;
const quiet = 15_000;

/** Most hours packed by one statement when many are due, as after an import. */
const longestRange = 24;

/** Merges adjacent hours into ranges [from, to), so that an import of months is packed in few statements. */
const rangesOf = (hours: readonly number[]): [number, number][] => {
  const ranges: [number, number][] = [];
  for (const at of hours.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && last[1] === at && at - last[0] < longestRange) last[1] = at + 1;
    else ranges.push([at, at + 1]);
  }
  return ranges;
};

/** An hour that could not be packed, and the fault. */
interface Failed {
  hour: number;
  fault: unknown;
}

const notPacked = (count: number, { hour, fault }: Failed): Error =>
  new Error(`Hours not packed: ${count}, the oldest of them ${new Date(hour * 3_600_000).toISOString()}`, {
    cause: fault,
  });

/**
 * Creates the job that packs sealed hours, oldest first. Late readings make their hour due again. A run continues past an hour that cannot be packed,
 * and fails at its end.
 */
export const createPackingJob = ({
  pool,
  clock,
  log,
  metrics,
  writer,
}: Pick<World, "pool" | "clock" | "log" | "metrics"> & { writer: Writer }): PackingJob => {
  /** Hours with hot readings, and when they were last written to. */
  const touched = new Map<number, number>();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<number> | undefined;
  let stopping = false;
  let isPrepared = false;
  writer.onHours((hours) => {
    const now = clock.now();
    for (const at of hours) touched.set(at, now);
  });
  /** Packs the hours [from, to). On failure each hour is packed separately, so that a bad one does not block the others. */
  const pack = async (from: number, to: number, failed: Failed[]): Promise<number> => {
    // Removed before packing: a reading that arrives meanwhile makes the hour due again.
    for (let at = from; at < to; at++) touched.delete(at);
    try {
      return await packHourRange(pool, from, to, clock.now());
    } catch (fault) {
      for (let at = from; at < to; at++) if (!touched.has(at)) touched.set(at, clock.now());
      if (to - from === 1) {
        failed.push({ hour: from, fault });
        return 0;
      }
    }
    let rows = 0;
    for (let at = from; at < to && !stopping; at++) rows += await pack(at, at + 1, failed);
    return rows;
  };
  const packDue = async (): Promise<number> => {
    if (!isPrepared) for (const at of await hotHours(pool)) if (!touched.has(at)) touched.set(at, 0);
    isPrepared = true;
    const now = clock.now();
    const due = [...touched].filter(([at, last]) => isSealed(at, now) && last + quiet <= now).map(([at]) => at);
    const failed: Failed[] = [];
    let rows = 0;
    for (const [from, to] of rangesOf(due)) {
      if (stopping) break;
      rows += await pack(from, to, failed);
    }
    if (failed[0]) throw notPacked(failed.length, failed[0]);
    return rows;
  };
  const once = withJobMetrics({ metrics, clock }, "packing", packDue);
  const run = (): Promise<number> => {
    running ??= once().finally(() => {
      running = undefined;
    });
    return running;
  };
  return {
    run,
    start: () => {
      timer = setInterval(
        () =>
          void run().catch((fault: unknown) => log.error({ err: fault }, "Could not pack all readings; retrying soon")),
        every,
      );
      timer.unref();
    },
    stop: async () => {
      stopping = true;
      clearInterval(timer);
      await running?.catch(() => 0);
    },
  };
};
