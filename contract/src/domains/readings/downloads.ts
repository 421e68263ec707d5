import { z } from "zod";
import { get, getFile, post } from "../../call/call.ts";
import { momentOrDay } from "../../call/moment-or-day.ts";
import { page, pageQuery } from "../../call/paging.ts";
import * as wire from "../../call/wire.ts";

/** `type` of an export: a chosen range, or the consolidated data of the last complete month. (spec 1 §9) */
export const DataType = { chosen: 0, consolidated: 2 } as const;
export type DataType = (typeof DataType)[keyof typeof DataType];
export const dataTypeLabels: Record<DataType, string> = { 0: "Choose data", 2: "Consolidated data" };

/** Validation messages of the download dialog. (spec 1 §5) */
export const DownloadMessage = {
  device: "Choose Device",
  dataType: "Choose Data Type",
  range: "Choose Data",
  package: "Choose data package",
} as const;

/** Selectable days in the device's time zone, counted back from today, and the maximum length of a range. (spec 1 §5, §9) */
export const selectableDays = { earliest: 30, latest: 10, longest: 30 } as const;

/** Media type of an Office Open XML spreadsheet. */
export const spreadsheet = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** A device whose data can be downloaded. Days are in its time zone. */
export const DownloadDevice = z.object({
  deviceId: z.int(),
  deviceSn: z.string(),
  deviceSnId: z.string(),
  deviceName: z.string(),
  timeZoneId: z.string(),
});
export type DownloadDevice = z.output<typeof DownloadDevice>;

/** A device's readings of one complete month. `packUrl` is a path on this server that requires the token. */
export const DataPackage = z.object({
  packLogId: z.int(),
  /** For example `October`. */
  packMonthUs: z.string(),
  packYear: z.int(),
  packUrl: z.string(),
});
export type DataPackage = z.output<typeof DataPackage>;

/** Why a complete month has no package, or one that is not final. */
export const PackageState = {
  /** It ended less than a day ago: devices may still deliver buffered readings. */
  settling: 1,
  /** Readings of that month are still arriving. */
  arriving: 2,
  /** It is next to be generated. */
  making: 3,
} as const;
export type PackageState = (typeof PackageState)[keyof typeof PackageState];

/** A complete month whose package is missing or not final. */
export const PendingPackage = z.object({
  packMonthUs: z.string(),
  packYear: z.int(),
  state: z.literal(Object.values(PackageState)),
  /** A package exists and will be regenerated; downloading it returns all readings stored so far. */
  isMade: z.boolean(),
  /** Earliest time of generation; null when it is due now. */
  readyTime: wire.time().nullable(),
});
export type PendingPackage = z.output<typeof PendingPackage>;

/** A completed download. `startTime` to `endTime` is the data's period, `createdTime` the time of the download. */
export const DownloadRecord = z.object({
  downloadId: z.int(),
  deviceId: z.int(),
  deviceSn: z.string(),
  deviceSnId: z.string(),
  deviceName: z.string(),
  timeZoneId: z.string(),
  startTime: wire.time(),
  endTime: wire.time(),
  createdTime: wire.time(),
});
export type DownloadRecord = z.output<typeof DownloadRecord>;

export const downloads = {
  devices: get("/api/device/getDevice", {
    access: "downloads.read",
    summary:
      "Devices of the plant whose data can be downloaded, by name, at most 200; `deviceName` matches part of name or ID",
    query: z.object({ deviceName: wire.text().optional() }),
    result: z.array(DownloadDevice),
  }),
  packages: get("/api/device/consolidated/data", {
    access: "downloads.read",
    summary: "The monthly data packages of a device, newest first",
    query: z.object({ deviceId: wire.int(DownloadMessage.device) }),
    result: z.array(DataPackage),
  }),
  pending: get("/api/device/consolidated/pending", {
    access: "downloads.read",
    summary: "Complete months of a device whose data package is missing or not final, with the reason, newest first",
    query: z.object({ deviceId: wire.int(DownloadMessage.device) }),
    result: z.array(PendingPackage),
  }),
  export: getFile("/api/device/export/excel", {
    access: "downloads.read",
    summary:
      "A device's readings as a spreadsheet: type 0 from startTime to endTime, dates are days in the device's time zone; type 2 the newest monthly package",
    file: spreadsheet,
    query: z.object({
      deviceId: wire.int(DownloadMessage.device),
      type: wire.oneOf(DataType, DownloadMessage.dataType),
      startTime: momentOrDay().optional(),
      endTime: momentOrDay().optional(),
    }),
  }),
  readings: getFile("/api/device/readings", {
    access: "downloads.read",
    summary: "A device's readings as CSV in time order, of all channels or of these codes",
    file: "text/csv",
    query: z.object({
      deviceId: wire.int(DownloadMessage.device),
      channels: wire.list(wire.text(64)).optional(),
      startTime: wire.rangeStart(),
      endTime: wire.rangeEnd(),
    }),
  }),
  package: getFile("/api/download/package", {
    access: "downloads.read",
    summary: "A monthly data package as a spreadsheet; `packUrl` is this address",
    file: spreadsheet,
    query: z.object({ packLogId: wire.int(DownloadMessage.package) }),
  }),
  log: post("/api/download/log", {
    access: "downloads.read",
    summary: "Records the download of a monthly data package in the history; exports are recorded automatically",
    body: z.object({ packLogId: wire.int(DownloadMessage.package) }),
    result: z.null(),
  }),
  history: get("/api/download/list", {
    access: "downloads.read",
    summary: "Downloads of this account, newest first; `statTime` and `endTime` filter by download time",
    query: z.object({
      ...pageQuery,
      deviceSn: wire.text().optional(),
      deviceSnId: wire.text().optional(),
      deviceName: wire.text().optional(),
      statTime: wire.rangeStart().optional(),
      endTime: wire.rangeEnd().optional(),
    }),
    result: page(DownloadRecord),
  }),
};
