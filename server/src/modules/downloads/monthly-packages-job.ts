import type { Readable } from "node:stream";
import { monthOn, monthStretch, monthText } from "@telltale/contract/text/months";
import { zoneOf } from "@telltale/contract/text/wall-clock";
import { soleJob } from "../../platform/jobs/with-job-metrics.ts";
import { theChannels } from "../../readings/index.ts";
import { firstReadingOf, hotAmong } from "../../telemetry/index.ts";
import type { World } from "../../world.ts";
import { type DueDevice, devicesWithDuePackages, lateMonths, newestLateMark, saveProgress } from "./package-queries.ts";
import { buildPackage } from "./packages.ts";
import { settling } from "./pending.ts";
import { exportedChannels } from "./queries.ts";

type Needs = Pick<World, "db" | "pool" | "files" | "clock" | "log" | "metrics" | "node">;

export interface MonthlyPackagesJob {
  start(): void;
  stop(): Promise<void>;
  /** Creates the packages of all ended months; returns how many. */
  run(): Promise<number>;
}

/** Interval of the job, and delay of its first run, milliseconds. */
const every = 30_000;
const firstAfter = 10_000;

/** Longest wait for readings that may still arrive, milliseconds, so that a package is created eventually. */
const longestDelay = 3_600_000;

/** The time zone furthest ahead: a month that has not ended there has ended nowhere. */
const firstClock = zoneOf("Pacific/Kiritimati");

/** State of the job, which allows it to be stopped. */
interface Progress {
  isStopping: boolean;
  content?: Readable;
  /** When the server began to receive readings. */
  readonly startedAt: number;
  /** Since when months wait for arriving readings; by device and month. */
  readonly waiting: Map<string, number>;
}

/** Whether readings of the month are still arriving: some are not packed yet. A package created now would lack later ones. */
const isArriving = async (
  { db, pool, clock }: Needs,
  { device_id: deviceId, time_zone_id }: Pick<DueDevice, "device_id" | "time_zone_id">,
  month: number,
  { waiting }: Progress,
): Promise<boolean> => {
  const key = `${deviceId} ${month}`;
  const ids = (await exportedChannels(db, deviceId)).map(({ channelId }) => channelId);
  const hot = await hotAmong(pool, ids, [monthStretch(zoneOf(time_zone_id), month)]);
  const since = waiting.get(key) ?? clock.now();
  const isWaiting = hot.size > 0 && clock.now() - since < longestDelay;
  if (isWaiting) waiting.set(key, since);
  else waiting.delete(key);
  return isWaiting;
};

/** Whether a device was last heard before the month's end and before this server's start: it may have buffered readings. */
const isAwaited = (
  { clock }: Needs,
  { last_seen_time: heard, time_zone_id }: DueDevice,
  month: number,
  { startedAt }: Progress,
): boolean => {
  const { to } = monthStretch(zoneOf(time_zone_id), month);
  return heard !== null && heard.getTime() < Math.min(startedAt, to) && clock.now() - startedAt < longestDelay;
};

const firstMonth = async ({ db, pool }: Needs, device: DueDevice): Promise<number | undefined> => {
  if (device.next_month !== null) return device.next_month;
  const ids = (await exportedChannels(db, device.device_id)).map(({ channelId }) => channelId);
  const first = await firstReadingOf(pool, theChannels(ids));
  return first === null ? undefined : monthOn(zoneOf(device.time_zone_id), first);
};

/** Creates the package of one month; returns 1, or 0 when it has no reading. */
const makePackage = async (
  world: Needs,
  device: Pick<DueDevice, "device_id" | "time_zone_id">,
  month: number,
  progress: Progress,
): Promise<number> => {
  const { device_id: deviceId, time_zone_id: zone } = device;
  const onContent = (made: Readable) => {
    progress.content = made;
    if (progress.isStopping) made.destroy();
  };
  const bytes = await buildPackage(world, { deviceId, month, clock: zoneOf(zone), onContent });
  if (bytes === undefined) return 0;
  world.log.debug({ deviceId, month: monthText(month), bytes }, "A monthly data package was made");
  return 1;
};

/** Creates the missing packages of one device; returns how many. Months are processed in order: one that waits delays the later ones. */
const packDevice = async (world: Needs, device: DueDevice, progress: Progress): Promise<number> => {
  const { device_id: deviceId, time_zone_id } = device;
  const unfinished = monthOn(zoneOf(time_zone_id), world.clock.now() - settling);
  const first = (await firstMonth(world, device)) ?? unfinished;
  let count = 0;
  for (let month = first; month < unfinished; month++) {
    if (progress.isStopping || isAwaited(world, device, month, progress)) return count;
    if (await isArriving(world, device, month, progress)) return count;
    count += await makePackage(world, device, month, progress);
  }
  // Readings of earlier months that arrive from now on are late, so the first reading need not be looked up again.
  if (device.next_month === null) await saveProgress(world.db, deviceId, unfinished);
  return count;
};

/** Logs a failure, which does not affect the packages of other devices. */
const logFailure = (world: Needs, deviceId: number, progress: Progress, made: Promise<number>): Promise<number> =>
  made.catch((fault: unknown) => {
    if (!progress.isStopping)
      world.log.error({ err: fault, deviceId }, "Could not create a monthly data package; trying again in 30 seconds");
    return 0;
  });

/** Creates missing packages. */
const packDue = async (world: Needs, progress: Progress): Promise<number> => {
  const month = monthOn(firstClock, world.clock.now() - settling);
  let count = 0;
  for (let afterId = 0; ; ) {
    const devices = await devicesWithDuePackages(world.db, month, afterId);
    for (const device of devices) {
      if (progress.isStopping) return count;
      afterId = device.device_id;
      count += await logFailure(world, afterId, progress, packDevice(world, device, progress));
    }
    if (devices.length === 0) return count;
  }
};

/** Recreates packages of months with late readings. Months marked during the run are left to the next one, or a run might never end. */
const packLate = async (world: Needs, progress: Progress): Promise<number> => {
  const last = await newestLateMark(world.db);
  let count = 0;
  for (let after = 0; ; ) {
    const late = await lateMonths(world.db, after, last);
    for (const device of late) {
      if (progress.isStopping) return count;
      after = device.mark;
      if (await isArriving(world, device, device.month, progress)) continue;
      count += await logFailure(world, device.device_id, progress, makePackage(world, device, device.month, progress));
    }
    if (late.length === 0) return count;
  }
};

/**
 * Creates the job that writes one spreadsheet per device and finished month: first missing ones, then those with late readings. Progress is saved per
 * month, so it continues after a stop.
 */
export const createMonthlyPackagesJob = (world: Needs): MonthlyPackagesJob => {
  const progress: Progress = { isStopping: false, startedAt: world.clock.now(), waiting: new Map() };
  let timers: NodeJS.Timeout[] = [];
  let running: Promise<number> | undefined;
  const once = soleJob(
    world,
    "monthly packages",
    async () => (await packDue(world, progress)) + (await packLate(world, progress)),
    0,
  );
  const run = (): Promise<number> => {
    running ??= once().finally(() => {
      running = undefined;
    });
    return running;
  };
  const runInBackground = () =>
    void run().catch((fault: unknown) =>
      world.log.error({ err: fault }, "Could not check for monthly data packages; trying again in 30 seconds"),
    );
  return {
    run,
    start: () => {
      timers = [setTimeout(runInBackground, firstAfter), setInterval(runInBackground, every)];
      for (const timer of timers) timer.unref();
    },
    stop: async () => {
      progress.isStopping = true;
      for (const timer of timers) clearTimeout(timer);
      progress.content?.destroy();
      await running?.catch(() => 0);
    },
  };
};
