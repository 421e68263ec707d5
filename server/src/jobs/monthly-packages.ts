import type { Readable } from "node:stream";
import { type DueDevice, devicesWithDuePackages } from "../downloads/package-queries.ts";
import { buildPackage } from "../downloads/packages.ts";
import { exportedChannels } from "../downloads/queries.ts";
import { monthOn, monthText } from "../downloads/rules.ts";
import { wallClockOf } from "../downloads/wall-clock.rules.ts";
import { firstReadingOf } from "../telemetry/readings-in-order.ts";
import type { World } from "../world.ts";
import { noted } from "./noted.ts";

type Needs = Pick<World, "db" | "pool" | "files" | "clock" | "log" | "metrics">;

export interface MonthlyPackagesJob {
  start(): void;
  stop(): Promise<void>;
  /** Makes the packages of all months that have ended; gives how many. */
  run(): Promise<number>;
}

/** How often the job looks, and when first, milliseconds. */
const every = 600_000;
const firstAfter = 10_000;

/** A month is packed a day after its end, so that devices which kept readings back have sent them. */
const settling = 86_400_000;

/** The clock that is ahead of all others: a month that has not ended there has ended nowhere. */
const firstClock = wallClockOf("Pacific/Kiritimati");

/** What is being made, so that it can be ended. */
interface Progress {
  isStopping: boolean;
  content?: Readable;
}

const firstMonth = async ({ db, pool }: Needs, device: DueDevice): Promise<number | undefined> => {
  if (device.next_month !== null) return device.next_month;
  const ids = (await exportedChannels(db, device.device_id)).map(({ channelId }) => channelId);
  const first = await firstReadingOf(pool, ids);
  return first === null ? undefined : monthOn(wallClockOf(device.time_zone_id), first);
};

/** Makes the packages of one device; gives how many. */
const packDevice = async (world: Needs, device: DueDevice, progress: Progress): Promise<number> => {
  const clock = wallClockOf(device.time_zone_id);
  const unfinished = monthOn(clock, world.clock.now() - settling);
  const onContent = (made: Readable) => {
    progress.content = made;
    if (progress.isStopping) made.destroy();
  };
  let count = 0;
  const first = (await firstMonth(world, device)) ?? unfinished;
  for (let month = first; month < unfinished && !progress.isStopping; month++) {
    const deviceId = device.device_id;
    const lateCount = device.late_count;
    const { bytes, isDone } = await buildPackage(world, { deviceId, month, clock, lateCount, onContent });
    if (bytes !== undefined) {
      count += 1;
      world.log.debug({ deviceId, month: monthText(month), bytes }, "A monthly data package was made");
    }
    // Late readings may be of a month before: the next look begins there.
    if (!isDone) break;
  }
  return count;
};

const packDue = async (world: Needs, progress: Progress): Promise<number> => {
  const { db, clock, log } = world;
  const month = monthOn(firstClock, clock.now() - settling);
  let count = 0;
  for (let afterId = 0; ; ) {
    const devices = await devicesWithDuePackages(db, month, afterId);
    for (const device of devices) {
      if (progress.isStopping) return count;
      const { device_id: deviceId } = device;
      afterId = deviceId;
      count += await packDevice(world, device, progress).catch((fault: unknown) => {
        if (!progress.isStopping)
          log.error({ err: fault, deviceId }, "A monthly data package was not made; tried again soon");
        return 0;
      });
    }
    if (devices.length === 0) return count;
  }
};

/** Makes one spreadsheet a device and finished month. What is done is written down month by month, so it goes on where it was ended. */
export const createMonthlyPackagesJob = (world: Needs): MonthlyPackagesJob => {
  const progress: Progress = { isStopping: false };
  let timers: NodeJS.Timeout[] = [];
  let running: Promise<number> | undefined;
  const once = noted(world, "monthly packages", () => packDue(world, progress));
  const run = (): Promise<number> => {
    running ??= once().finally(() => {
      running = undefined;
    });
    return running;
  };
  const runInBackground = () =>
    void run().catch((fault: unknown) => world.log.error({ err: fault }, "Monthly data packages were not looked for"));
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
