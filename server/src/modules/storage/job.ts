import { noticeDays } from "@telltale/contract/domains/readings/storage";
import type { Database } from "../../platform/database/schema/schema.ts";
import { collectFaults, type Faults } from "../../platform/fault.ts";
import { createPeriodicJob, type PeriodicJob } from "../../platform/jobs/periodic.ts";
import { firstHourOf } from "../../telemetry/index.ts";
import type { World } from "../../world.ts";
import { removePackagesBefore } from "../downloads/index.ts";
import { sendStorageNotice, withdrawStorageNotice } from "./notices.ts";
import {
  fixMonths,
  type KeptDevice,
  keptDevices,
  readingsByHour,
  type StorageUsage,
  storageUsage,
  storedByMonth,
} from "./queries.ts";
import { removeSummarised } from "./remove.ts";
import {
  firstHourThatFits,
  firstKeptHour,
  latestFirstHour,
  noticedTime,
  readingsOfSpace,
  shortestKept,
} from "./rules.ts";
import { summariseBefore } from "./summarise.ts";

type Needs = Pick<World, "db" | "pool" | "clock" | "files" | "log" | "metrics" | "node" | "publicUrl">;

const hourLength = 3_600_000;
const dayLength = 24 * hourLength;

/** Interval of the job, milliseconds. */
const every = 10 * 60_000;

/** Part of the storage space below which a device no longer counts as full, so that no notice is repeated when the size varies around the limit. */
const relief = 0.9;

/** What a fault of a device begins with in the log. */
const nameOf = (deviceId: number): string => `Device ${deviceId}`;

const keptText = (months: number): string => (months === 1 ? "kept for 1 month" : `kept for ${months} months`);

/**
 * Makes summaries of what is older than operator, plant or device keep, and then removes its data packages: also those of readings that have gone earlier
 * for the storage space.
 */
const applyMonths = async (world: Needs, device: KeptDevice, operatorMonths: number | null): Promise<void> => {
  const { device_id: deviceId, plant_id: plantId, readings_from: keptFrom, oldest_package: oldest } = device;
  const months = shortestKept(operatorMonths, device.plant_months, device.device_months);
  if (months === null) return;
  const hour = firstKeptHour(months, world.clock.now());
  const before = new Date(hour * hourLength);
  const because = keptText(months);
  const isStillDue = async (db: Database): Promise<boolean> => {
    const kept = await fixMonths(db, deviceId);
    return kept !== undefined && shortestKept(operatorMonths, kept.plant_months, kept.device_months) === months;
  };
  if (keptFrom === null || keptFrom < before) await summariseBefore(world, { deviceId, hour, because, isStillDue });
  if (oldest !== null && oldest < before)
    await removePackagesBefore(world, { deviceId, plantId, before, because, isStillDue });
};

/** Calls `apply` with each device. */
const eachDevice = async (
  { db }: Needs,
  isStopping: () => boolean,
  apply: (device: KeptDevice) => Promise<unknown>,
): Promise<void> => {
  for (let afterId = 0; !isStopping(); ) {
    const devices = await keptDevices(db, afterId);
    for (const device of devices) {
      if (isStopping()) return;
      afterId = device.device_id;
      await apply(device);
    }
    if (devices.length === 0) return;
  }
};

/** Part of the storage space that is left filled when room is made: enough room for a while, so that this is not done with every hour. */
const filled = 0.98;

/** First hour since the epoch of a device and its sub-devices from which on their readings fit into the storage space; undefined when all do. */
const hourThatFits = async (
  { db, clock }: Needs,
  { device_ids, storage_space }: StorageUsage,
): Promise<number | undefined> => {
  const most = readingsOfSpace(storage_space) * filled;
  const months = await storedByMonth(db, device_ids);
  let newer = 0;
  for (const { month, readings } of months) {
    if (newer + readings <= most) {
      newer += readings;
      continue;
    }
    const hours = await readingsByHour(db, device_ids, { from: firstHourOf(month), to: firstHourOf(month + 1) });
    const first = firstHourThatFits(hours, most - newer) ?? firstHourOf(month);
    return Math.min(Number.isFinite(first) ? first : firstHourOf(month + 1), latestFirstHour(clock.now()));
  }
  return undefined;
};

/** Tells the people of a device that is full, and 30 days later makes room. */
const checkSpace = async (world: Needs, device: StorageUsage, faults: Faults): Promise<void> => {
  const most = readingsOfSpace(device.storage_space);
  const noticed = noticedTime(device);
  if (device.readings <= most) {
    if (device.noticed_time !== null && (noticed === null || device.readings < most * relief))
      await withdrawStorageNotice(world.db, device.device_id);
    return;
  }
  if (noticed === null) return sendStorageNotice(world, device);
  if (world.clock.now() < noticed.getTime() + noticeDays * dayLength) return;
  const hour = await hourThatFits(world, device);
  if (hour === undefined) return;
  const because = `storage space of ${device.storage_space} GB`;
  const isStillDue = async (db: Database): Promise<boolean> =>
    (await storageUsage(db, device.device_id))[0]?.storage_space === device.storage_space;
  for (const deviceId of device.device_ids)
    await faults.of(nameOf(deviceId), () => summariseBefore(world, { deviceId, hour, because, isStillDue }));
};

const checkSpaces = async (world: Needs, faults: Faults, isStopping: () => boolean): Promise<void> => {
  for (const device of await storageUsage(world.db)) {
    if (isStopping()) return;
    await faults.of(nameOf(device.device_id), () => checkSpace(world, device, faults));
  }
};

/**
 * Creates the job that keeps readings as long as the operator (`READINGS_KEPT`, in months; null: for ever), the plant and the device say, and within
 * the storage space of each device's package. What is older becomes summaries of hours. A run goes on after a device that fails, or the readings of all
 * others would fill the disk; it fails in the end.
 */
export const createRetentionJob = (world: Needs, operatorMonths: number | null): PeriodicJob =>
  createPeriodicJob({
    name: "retention",
    every,
    work: async (isStopping) => {
      const faults = collectFaults();
      const apply = (device: KeptDevice) =>
        faults.of(nameOf(device.device_id), () => applyMonths(world, device, operatorMonths));
      await faults.of("Months", () => eachDevice(world, isStopping, apply));
      await faults.of("Storage space", () => checkSpaces(world, faults, isStopping));
      if (!isStopping()) await faults.of("Removal", () => removeSummarised(world, isStopping));
      faults.throwFirst();
    },
    failureMessage: "Could not make summaries of all old readings; trying again in ten minutes",
    world,
  });
