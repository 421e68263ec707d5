import { z } from "zod";
import { get, post } from "../../call/call.ts";
import * as wire from "../../call/wire.ts";

/** What a stored reading is reckoned with, in bytes: four for its time, eight for its value. */
export const bytesPerReading = 12;

/** Bytes of a gigabyte of storage space. */
export const gigabyte = 1e9;

/** Days between the notice that a package's storage space is used up and the first readings that become summaries. */
export const noticeDays = 30;

/** For how many months readings can be kept. */
export const monthsKeptRange = { least: 1, most: 1200 } as const;

const months = z.int().nullable();

/** How long readings are kept, in months; null: as long as the next one says, at last for ever. The shortest applies. */
export const MonthsKept = z.object({ device: months, plant: months, operator: months });
export type MonthsKept = z.output<typeof MonthsKept>;

/** What a device and its sub-devices use of their package's storage space. */
export const DeviceStorage = z.object({
  readings: z.int(),
  usedBytes: z.int(),
  /** Gigabytes; null without a package. */
  storageSpace: z.int().nullable(),
  /** Readings before this time are kept as summaries of hours only; null when all are kept. */
  readingsFrom: wire.time().nullable(),
  monthsKept: MonthsKept,
  /** Set while the storage space is used up: since when it is known, and when the oldest readings become summaries. */
  notice: z.object({ noticedTime: wire.time(), summarisedTime: wire.time() }).nullable(),
});
export type DeviceStorage = z.output<typeof DeviceStorage>;

const { least, most } = monthsKeptRange;
/** 0: as long as the next one says. */
const monthsField = wire.intBetween(0, most, `Enter a number of months from ${least} to ${most}`);

/** How long readings are kept, and what they use. Readings that go are kept as summaries of hours: count, minimum, maximum and mean. */
export const storage = {
  ofDevice: get("/api/device/storage", {
    access: "devices.read",
    summary: "What a device and its sub-devices use of the storage space, and how long their readings are kept",
    query: z.object({ deviceId: wire.int() }),
    result: DeviceStorage,
  }),
  ofPlant: get("/api/plant/storage", {
    access: "configuration.read",
    summary: "How long the plant's readings are kept",
    query: z.object({}),
    result: MonthsKept.omit({ device: true }),
  }),
  keepOfDevice: post("/api/device/keepReadings", {
    access: "storage.write",
    summary: "Sets for how many months a device's readings are kept; older ones become summaries of hours for good",
    body: z.object({ deviceId: wire.int(), months: monthsField }),
    result: z.null(),
  }),
  keepOfPlant: post("/api/plant/keepReadings", {
    access: "storage.write",
    summary: "Sets for how many months the plant's readings are kept; older ones become summaries of hours for good",
    body: z.object({ months: monthsField }),
    result: z.null(),
  }),
};
