import { soleJob } from "../../platform/jobs/with-job-metrics.ts";
import { groupOf, isDamage, type Merger, markDamaged } from "../../readings/index.ts";
import type { World } from "../../world.ts";
import type { Writer } from "../ingest/writer.ts";
import { devicesToPack, firstOpenHour, hoursToPack, type Packable, packHours } from "./packing.ts";

export interface PackingJob {
  start(): void;
  stop(): Promise<void>;
  /** Packs what is due now, unless another node does; returns the number of packed rows written. */
  run(): Promise<number>;
  /** How many hours of these devices are still to be packed; begins to pack what is due. */
  hasten(deviceIds: readonly number[]): Promise<number>;
}

const hourLength = 3_600_000;

/** Interval of the job, and how long an hour must be without new readings before late data in it is packed; milliseconds. */
const every = 20_000;
const quiet = 15_000;

/** Most hours packed by one transaction when many are due, as after an import. */
const longestRange = 24;

/** Merges adjacent hours into ranges [from, to), so that an import of months is packed in few transactions. */
const rangesOf = (hours: readonly number[]): [number, number][] => {
  const ranges: [number, number][] = [];
  for (const at of hours) {
    const last = ranges.at(-1);
    if (last && last[1] === at && at - last[0] < longestRange) last[1] = at + 1;
    else ranges.push([at, at + 1]);
  }
  return ranges;
};

/** An hour of a device that could not be packed, and the fault. */
interface Failed {
  what: Packable;
  fault: unknown;
}

/** What is merged already is packed all the same. */
const faultOf = (work: Promise<void>): Promise<unknown[]> =>
  work.then(
    () => [],
    (fault: unknown) => [fault],
  );

const notPacked = (count: number, { what, fault }: Failed): Error =>
  new Error(
    `Hours of devices not packed: ${count}, first that of device ${what.deviceId} from ${new Date(what.from * hourLength).toISOString()}`,
    { cause: fault },
  );

const throwFirst = (faults: readonly unknown[]): void => {
  if (faults.length > 0) throw faults[0];
};

/**
 * Packs hours of a device; returns the number of packed rows written. On failure damaged chunks are left out, and each hour is packed separately, so that
 * a bad one does not block the others.
 */
const createPacker =
  ({ pool, clock, log, metrics }: Pick<World, "pool" | "clock" | "log" | "metrics">, isStopping: () => boolean) =>
  async (what: Packable, failed: Failed[]): Promise<number> => {
    const pack = async (hours: Packable): Promise<number> => {
      try {
        return await packHours(pool, hours, clock.now());
      } catch (fault) {
        const found = isDamage(fault) ? await markDamaged({ pool, log, metrics }, groupOf(hours.deviceId)) : 0;
        if (found === 0 && hours.to - hours.from === 1) {
          failed.push({ what: hours, fault });
          return 0;
        }
      }
      let rows = 0;
      for (let from = hours.from; from < hours.to && !isStopping(); from++)
        rows += await pack({ ...hours, from, to: from + 1 });
      return rows;
    };
    return pack(what);
  };

interface Needs extends Pick<World, "pool" | "clock" | "log" | "metrics" | "node"> {
  writer: Writer;
  merger: Merger;
}

/**
 * Creates the job that packs sealed hours, oldest first. Late readings make their hour due again. A run continues past hours that cannot be packed,
 * and fails at its end.
 */
export const createPackingJob = (needs: Needs): PackingJob => {
  const { pool, clock, log, writer, merger } = needs;
  /** Sealed hours that were written to, and when last. */
  const touched = new Map<number, number>();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<number> | undefined;
  let stopping = false;
  writer.onHours((hours) => {
    const now = clock.now();
    for (const at of hours) touched.set(at, now);
  });
  const pack = createPacker(needs, () => stopping);
  const isQuiet = (hour: number): boolean => (touched.get(hour) ?? Number.NEGATIVE_INFINITY) + quiet <= clock.now();
  const packDue = async (): Promise<number> => {
    const open = firstOpenHour(clock.now());
    const unmerged = await faultOf(merger.before(open * hourLength));
    const failed: Failed[] = [];
    let rows = 0;
    const { devices, faults } = await devicesToPack(pool, open);
    for (const { deviceId, hours } of devices)
      for (const [from, to] of rangesOf(hours.filter(isQuiet))) {
        if (stopping) return rows;
        rows += await pack({ deviceId, from, to }, failed);
      }
    for (const [hour, last] of touched) if (hour < open && last + quiet <= clock.now()) touched.delete(hour);
    throwFirst([...unmerged, ...faults, ...(failed[0] ? [notPacked(failed.length, failed[0])] : [])]);
    return rows;
  };
  const once = soleJob(needs, "packing", packDue, 0);
  const run = (): Promise<number> => {
    running ??= once().finally(() => {
      running = undefined;
    });
    return running;
  };
  const runUnattended = (): void =>
    void run().catch((fault: unknown) => log.error({ err: fault }, "Could not pack all readings; retrying soon"));
  return {
    run,
    hasten: async (deviceIds) => {
      const hours = await hoursToPack(pool, deviceIds, firstOpenHour(clock.now()));
      if (hours > 0 && !stopping) runUnattended();
      return hours;
    },
    start: () => {
      timer = setInterval(runUnattended, every);
      timer.unref();
    },
    stop: async () => {
      stopping = true;
      clearInterval(timer);
      await running?.catch(() => 0);
    },
  };
};
