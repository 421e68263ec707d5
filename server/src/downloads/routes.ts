import { addressOf } from "@telltale/contract/client";
import { DataType, type DownloadDevice, downloads } from "@telltale/contract/downloads";
import type { Scope } from "../devices/scope-queries.ts";
import type { Caller } from "../http/caller.ts";
import type { FileAnswer } from "../http/file-answer.ts";
import type { Handlers } from "../http/mount.ts";
import { invalid, notFound } from "../http/refusal.ts";
import type { Database, World } from "../world.ts";
import { exportReadings } from "./export.ts";
import { type DownloadedPeriod, downloadHistory, recordDownload } from "./history-queries.ts";
import { type PackageRow, packageById, packagesOf } from "./package-queries.ts";
import { packageContent } from "./packages.ts";
import { pendingPackages } from "./pending.ts";
import { downloadDevice, downloadDevices } from "./queries.ts";
import { fileWord, monthText, monthWords, rangeComplaint } from "./rules.ts";
import { createSlots } from "./slots.ts";
import { dayOn, dayText, wallClockOf } from "./wall-clock.rules.ts";

type Needs = Pick<World, "db" | "pool" | "clock" | "files">;

const deviceOf = async (db: Database, scope: Scope, deviceId: number): Promise<DownloadDevice> => {
  const device = await downloadDevice(db, scope, deviceId);
  if (!device) throw notFound();
  return device;
};

const packageOf = async (db: Database, scope: Scope, packLogId: number): Promise<PackageRow> => {
  const found = await packageById(db, scope, packLogId);
  if (!found) throw notFound();
  return found;
};

const periodOf = ({ device_id, start_time, end_time }: PackageRow): DownloadedPeriod => ({
  deviceId: device_id,
  startTime: start_time,
  endTime: end_time,
});

const fileName = (...words: string[]): string => `${words.map(fileWord).filter(Boolean).join("_")}.xlsx`;

const packageAnswer = async (world: Needs, found: PackageRow): Promise<FileAnswer> => ({
  name: fileName(found.device_name, found.device_sn_id, monthText(found.month)),
  content: await packageContent(world, found),
});

/** Why a device has no package. */
const whyNone = async (world: Needs, device: DownloadDevice): Promise<string> => {
  const [pending] = await pendingPackages(world, device);
  if (!pending) return "This device has no finished month yet";
  const month = `The data package of ${pending.packMonthUs} ${pending.packYear}`;
  const when = pending.readyTime
    ? `on ${dayText(dayOn(wallClockOf(device.timeZoneId), pending.readyTime.getTime()))}`
    : "";
  return when ? `${month} is made ${when}, a day after its end` : `${month} is being made. Try again in a few minutes`;
};

/** The newest package as an export, which writes itself into the history. */
const newestPackage = async (world: Needs, device: DownloadDevice, caller: Caller): Promise<FileAnswer> => {
  const [newest] = await packagesOf(world.db, caller, device.deviceId);
  if (!newest) throw notFound(await whyNone(world, device));
  const onSent = () => recordDownload(world.db, caller, periodOf(newest), world.clock.date());
  return { ...(await packageAnswer(world, newest)), onSent };
};

const chosenRange = async (
  world: Needs,
  device: DownloadDevice,
  range: { startTime?: Date | undefined; endTime?: Date | undefined },
  caller: Caller,
): Promise<FileAnswer> => {
  const wall = wallClockOf(device.timeZoneId);
  const complaint = rangeComplaint(range, wall, world.clock.now());
  const { startTime, endTime } = range;
  if (complaint || !startTime || !endTime) throw invalid(complaint ?? "");
  const stretch = { from: startTime.getTime(), to: endTime.getTime() };
  const period = { deviceId: device.deviceId, startTime, endTime };
  return {
    name: fileName(
      device.deviceName,
      device.deviceSnId,
      dayText(dayOn(wall, stretch.from)),
      dayText(dayOn(wall, stretch.to)),
    ),
    content: await exportReadings(world, device.deviceId, wall, stretch),
    onSent: () => recordDownload(world.db, caller, period, world.clock.date()),
  };
};

export const downloadRoutes = (world: Needs): Handlers<typeof downloads> => {
  const { db, clock } = world;
  const withSlot = createSlots();
  return {
    devices: ({ deviceName }, caller) => downloadDevices(db, caller, deviceName),
    packages: async ({ deviceId }, caller) => {
      await deviceOf(db, caller, deviceId);
      return (await packagesOf(db, caller, deviceId)).map(({ package_id: packLogId, month }) => ({
        packLogId,
        ...monthWords(month),
        packUrl: addressOf("", downloads.package, { packLogId }),
      }));
    },
    pending: async ({ deviceId }, caller) => pendingPackages(world, await deviceOf(db, caller, deviceId)),
    export: async ({ deviceId, type, ...range }, caller) => {
      const device = await deviceOf(db, caller, deviceId);
      return withSlot(caller.accountId, () =>
        type === DataType.consolidated
          ? newestPackage(world, device, caller)
          : chosenRange(world, device, range, caller),
      );
    },
    package: async ({ packLogId }, caller) => {
      const found = await packageOf(db, caller, packLogId);
      return withSlot(caller.accountId, () => packageAnswer(world, found));
    },
    log: async ({ packLogId }, caller) => {
      await recordDownload(db, caller, periodOf(await packageOf(db, caller, packLogId)), clock.date());
      return null;
    },
    history: (filter, caller) => downloadHistory(db, caller, filter),
  };
};
