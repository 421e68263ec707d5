import { addressOf } from "@telltale/contract/call/client";
import {
  DataType,
  type DownloadDevice,
  DownloadMessage,
  downloads,
} from "@telltale/contract/domains/readings/downloads";
import { monthText } from "@telltale/contract/text/months";
import { dayOn, dayText, type RangeOfDays, rangeIn, zoneOf } from "@telltale/contract/text/wall-clock";
import type { Scope } from "../../access/index.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { invalid, notFound } from "../../platform/http/api-error.ts";
import type { Caller } from "../../platform/http/caller.ts";
import type { FileAnswer } from "../../platform/http/file-answer.ts";
import type { Handlers } from "../../platform/http/mount.ts";
import type { World } from "../../world.ts";
import { exportReadings } from "./export.ts";
import { type DownloadedPeriod, downloadHistory, recordDownload } from "./history-queries.ts";
import { type PackageRow, packageById, packagesOf } from "./package-queries.ts";
import { packageContent } from "./packages.ts";
import { pendingPackages } from "./pending.ts";
import { downloadDevice, downloadDevices, exportedChannels } from "./queries.ts";
import { readingsAsCsv } from "./readings-csv.ts";
import { fileNamePart, monthLabel, rangeError } from "./rules.ts";
import { createSlots } from "./slots.ts";

type Needs = Pick<World, "db" | "pool" | "clock" | "files" | "log" | "metrics">;

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

const fileName = (ending: ".xlsx" | ".csv", ...words: string[]): string =>
  `${words.map(fileNamePart).filter(Boolean).join("_")}${ending}`;

const packageAnswer = async (world: Needs, found: PackageRow): Promise<FileAnswer> => ({
  name: fileName(".xlsx", found.device_name, found.device_sn_id, monthText(found.month)),
  content: await packageContent(world, found),
});

/** Why a device has no package, for the user. */
const whyNone = async (world: Needs, device: DownloadDevice): Promise<string> => {
  const [pending] = await pendingPackages(world, device);
  if (!pending) return "This device has no finished month yet";
  const month = `The data package of ${pending.packMonthUs} ${pending.packYear}`;
  const when = pending.readyTime ? `on ${dayText(dayOn(zoneOf(device.timeZoneId), pending.readyTime.getTime()))}` : "";
  return when ? `${month} is made ${when}, a day after its end` : `${month} is being made. Try again in a few minutes`;
};

/** The newest package as a download, recorded in the history when it was sent. */
const newestPackage = async (world: Needs, device: DownloadDevice, caller: Caller): Promise<FileAnswer> => {
  const [newest] = await packagesOf(world.db, caller, device.deviceId);
  if (!newest) throw notFound(await whyNone(world, device));
  const onSent = () => recordDownload(world.db, caller, periodOf(newest), world.clock.date());
  return { ...(await packageAnswer(world, newest)), onSent };
};

const chosenRange = async (
  world: Needs,
  device: DownloadDevice,
  chosen: RangeOfDays,
  caller: Caller,
): Promise<FileAnswer> => {
  const wall = zoneOf(device.timeZoneId);
  const range = rangeIn(wall, chosen);
  const validationError = rangeError(range, wall, world.clock.now());
  const { startTime, endTime } = range;
  if (validationError || !startTime || !endTime) throw invalid(validationError ?? "");
  const stretch = { from: startTime.getTime(), to: endTime.getTime() };
  const period = { deviceId: device.deviceId, startTime, endTime };
  return {
    name: fileName(
      ".xlsx",
      device.deviceName,
      device.deviceSnId,
      dayText(dayOn(wall, stretch.from)),
      dayText(dayOn(wall, stretch.to)),
    ),
    content: await exportReadings(world, device.deviceId, wall, stretch),
    onSent: () => recordDownload(world.db, caller, period, world.clock.date()),
  };
};

export const downloadRoutes = (world: Needs & Pick<World, "bus">): Handlers<typeof downloads> => {
  const { db, clock } = world;
  const withSlot = createSlots(world);
  return {
    devices: ({ deviceName }, caller) => downloadDevices(db, caller, deviceName),
    packages: async ({ deviceId }, caller) => {
      await deviceOf(db, caller, deviceId);
      return (await packagesOf(db, caller, deviceId)).map(({ package_id: packLogId, month }) => ({
        packLogId,
        ...monthLabel(month),
        packUrl: addressOf("", downloads.package, { packLogId }),
      }));
    },
    pending: async ({ deviceId }, caller) => pendingPackages(world, await deviceOf(db, caller, deviceId)),
    export: async ({ deviceId, type, ...range }, caller) => {
      const device = await deviceOf(db, caller, deviceId);
      return withSlot(caller, () =>
        type === DataType.consolidated
          ? newestPackage(world, device, caller)
          : chosenRange(world, device, range, caller),
      );
    },
    readings: async ({ deviceId, channels: codes, startTime, endTime }, caller) => {
      const [device, own] = await Promise.all([deviceOf(db, caller, deviceId), exportedChannels(db, deviceId)]);
      if (startTime > endTime) throw invalid(DownloadMessage.range);
      return withSlot(caller, async () => {
        const content = await readingsAsCsv(world, {
          channels: own,
          codes,
          from: startTime.getTime(),
          to: endTime.getTime(),
        });
        if (!content) throw notFound("This device has no such channel");
        return {
          name: fileName(".csv", device.deviceName, device.deviceSnId),
          content,
          onSent: () => recordDownload(db, caller, { deviceId, startTime, endTime }, clock.date()),
        };
      });
    },
    package: async ({ packLogId }, caller) => {
      const found = await packageOf(db, caller, packLogId);
      return withSlot(caller, () => packageAnswer(world, found));
    },
    log: async ({ packLogId }, caller) => {
      await recordDownload(db, caller, periodOf(await packageOf(db, caller, packLogId)), clock.date());
      return null;
    },
    history: (filter, caller) => downloadHistory(db, caller, filter),
  };
};
