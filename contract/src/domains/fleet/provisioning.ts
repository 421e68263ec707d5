import { z } from "zod";
import { get, post } from "../../call/call.ts";
import { page, pageQuery } from "../../call/paging.ts";
import * as wire from "../../call/wire.ts";
import { namedField } from "../../text/text-fields.ts";
import { ChannelType } from "../channels.ts";
import { deviceNameField, Model } from "../devices.ts";

/** Models that can register themselves: those that exist as main devices. A sub-device is added with its master. */
export const selfRegistering = [
  Model.analog,
  Model.digitalInput,
  Model.digitalOutput,
  Model.mixed,
  Model.vibration,
] as const satisfies readonly Model[];

const numbered = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${prefix}${at + 1}`);
const analogCodes = numbered("AI", 4);

/** Codes of the channels of main devices, in order. */
export const channelCodes: Readonly<Record<(typeof selfRegistering)[number], readonly string[]>> = {
  [Model.analog]: analogCodes,
  [Model.digitalInput]: numbered("DI", 4),
  [Model.digitalOutput]: numbered("DO", 4),
  [Model.mixed]: [...analogCodes, ...numbered("DI", 4), ...numbered("DO", 2), "TEMP", "HUM"],
  [Model.vibration]: ["VX", "VY", "VZ", "TEMP"],
};

const typesByCode: ReadonlyMap<string, ChannelType> = new Map([
  ...[...analogCodes, "TEMP", "HUM"].map((code) => [code, ChannelType.analogInput] as const),
  ...channelCodes[Model.digitalInput].map((code) => [code, ChannelType.digitalInput] as const),
  ...channelCodes[Model.digitalOutput].map((code) => [code, ChannelType.digitalOutput] as const),
  ...["VX", "VY", "VZ"].map((code) => [code, ChannelType.vibration] as const),
]);

/** The type of the channel with this code, which is the same in all models; undefined for a modbus register. */
export const channelTypeOf = (code: string): ChannelType | undefined => typesByCode.get(code);

/** The first that applies in the order 4, 3, 2, 1. */
export const KeyState = { valid: 1, full: 2, expired: 3, revoked: 4 } as const;
export type KeyState = (typeof KeyState)[keyof typeof KeyState];

/** Most devices that one key can add, and most keys of a plant that are not revoked. */
export const mostDevicesOfKey = 10_000;
export const mostKeys = 50;

/** A key with which devices of a plant register themselves. */
export const ProvisioningKeyRow = z.object({
  provisioningKeyId: z.int(),
  keyName: z.string(),
  /** What devices send as `provisionDeviceKey`. */
  provisionKey: z.string(),
  model: z.enum(Model),
  /** P/N of the devices that it adds. */
  deviceSn: z.string(),
  state: z.enum(KeyState),
  deviceCount: z.int(),
  deviceLimit: z.int(),
  refusedCount: z.int(),
  /** When a device last got its token by it. */
  lastUsedTime: wire.time().nullable(),
  /** When it was last refused, and why. */
  lastRefusedTime: wire.time().nullable(),
  lastRefusal: z.string(),
  createdTime: wire.time(),
  /** Name of who made it. */
  createdBy: z.string(),
  expireTime: wire.time(),
  revokedTime: wire.time().nullable(),
});
export type ProvisioningKeyRow = z.output<typeof ProvisioningKeyRow>;

const provisioningKeyId = wire.int();

/** A device with the serial number by which it registers itself, or will. */
export const SerialRow = z.object({
  deviceId: z.int(),
  serial: z.string(),
  /** Whether it is expected: no key has given it a token yet. */
  isExpected: z.boolean(),
});
export type SerialRow = z.output<typeof SerialRow>;

/** A device that is in the plant and has not registered itself yet. */
export const ExpectedRow = z.object({
  deviceId: z.int(),
  serial: z.string(),
  deviceName: z.string(),
  /** P/N of the units that can register as it. */
  deviceSn: z.string(),
  expectedTime: wire.time(),
  /** Name of who announced it; empty when that was not recorded. */
  announcedBy: z.string(),
  /** Name of the API key by which it was announced, as a plant file does; empty for none. */
  apiKeyName: z.string(),
});
export type ExpectedRow = z.output<typeof ExpectedRow>;

/** Most devices of a plant that are expected at a time. */
export const mostExpected = 10_000;

/** Keys with which devices register themselves. */
export const provisioning = {
  list: get("/api/provisioning/list", {
    access: "provisioning.read",
    summary: "The plant's provisioning keys with their use, newest first",
    query: z.object(pageQuery),
    result: page(ProvisioningKeyRow),
  }),
  add: post("/api/provisioning/add", {
    access: "provisioning.write",
    summary: "Makes a provisioning key; its secret is answered this once",
    body: z.object({
      keyName: namedField("Key name cannot be blank"),
      model: wire.oneOf(wire.only(Model, selfRegistering), "Choose the model of the devices"),
      deviceLimit: wire.intBetween(1, mostDevicesOfKey),
      expireTime: wire.rangeEnd(),
    }),
    result: z.object({ provisioningKeyId: z.int(), provisionKey: z.string(), secret: z.string() }),
  }),
  revoke: post("/api/provisioning/revoke", {
    access: "provisioning.write",
    summary: "Revokes a provisioning key at once; devices that it has added stay",
    body: z.object({ provisioningKeyId }),
    result: z.null(),
  }),
  serials: get("/api/provisioning/serials", {
    access: "provisioning.read",
    summary: "Devices of the plant that register themselves, with their serial numbers",
    query: z.object(pageQuery),
    result: page(SerialRow),
  }),
  expected: get("/api/provisioning/expected", {
    access: "provisioning.read",
    summary: "Devices of the plant that are expected to register themselves, by serial number",
    query: z.object(pageQuery),
    result: page(ExpectedRow),
  }),
  expect: post("/api/provisioning/expect", {
    access: "provisioning.write",
    summary:
      "Adds a device to the plant that will register itself, by its serial number and any valid key of its model",
    body: z.object({
      serial: namedField("Serial number cannot be blank"),
      deviceName: deviceNameField,
      model: wire.oneOf(wire.only(Model, selfRegistering), "Choose the model of the device"),
    }),
    result: z.object({ deviceId: z.int() }),
  }),
};
