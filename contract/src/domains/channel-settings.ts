import { z } from "zod";
import { get, post } from "../call/call.ts";
import * as wire from "../call/wire.ts";
import { ChannelKeys } from "../channel-types/keys.ts";
import { namedField } from "../text/text-fields.ts";
import { ChannelRow } from "./channels.ts";

/** A channel with its editable settings. */
export const ChannelSetup = ChannelRow.extend({
  /** The unit's built-in sensor: see `ChannelKind`. */
  isBuiltIn: z.boolean(),
  /** All stored settings, including those that the current mode does not use. */
  channelKeys: ChannelKeys,
  /** Changed since the device last confirmed its settings. */
  isPending: z.boolean(),
});
export type ChannelSetup = z.output<typeof ChannelSetup>;

/**
 * A device with its channels, read in one snapshot. `settingsVersion` counts the saves; a save based on an older version is refused (409).
 * Saved settings are pending until the device confirms them; `confirmedTime` is when it last did.
 */
export const DeviceSetup = z.object({
  deviceId: z.int(),
  deviceName: z.string(),
  deviceType: z.int(),
  typeId: z.int(),
  reportIntervalDefault: z.int(),
  reportIntervalLimit: z.int(),
  settingsVersion: z.int(),
  /** Null while no user has changed the factory settings. */
  savedTime: wire.time().nullable(),
  /** The user who saved last; empty for one who has since been removed. */
  savedBy: z.string(),
  isPending: z.boolean(),
  confirmedTime: wire.time().nullable(),
  channels: z.array(ChannelSetup),
});
export type DeviceSetup = z.output<typeof DeviceSetup>;

/** A selectable channel, with the range that an alarm on it must lie in. */
export const ChannelChoice = ChannelRow.extend({ zero: z.number().nullable(), span: z.number().nullable() });
export type ChannelChoice = z.output<typeof ChannelChoice>;

const deviceId = wire.int();
const channelName = namedField("Channel name cannot be blank");
const channelSwitch = wire.oneOf([0, 1], "A channel is on (1) or off (0)");

/** The value of JSON text; any other text as it is, which is refused as no set of settings. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** Not `z.unknown()`, which nothing else of the console needs, and which its first screens would load. */
const anything = z.custom<unknown>();

/** Settings in a form: as JSON text, because a form's fields have no parts. A JSON body holds them as they are. */
const keysField = z
  .codec(anything, anything, {
    decode: (given) => (typeof given === "string" ? parsed(given) : given),
    encode: (keys) => JSON.stringify(keys),
  })
  .pipe(ChannelKeys);

/** The saved settings and their new version. */
const Saved = z.object({ settingsVersion: z.int() });

const access = "configuration.read";
const writing = "devices.configure";

/** Channel configuration of a device. (spec 2 §2, §5, §7) */
export const channelSettings = {
  units: get("/api/channel/unit", {
    access,
    summary: "The allowed units of each quantity",
    query: z.object({ channelAnalogId: wire.int().optional() }),
    result: z.array(z.object({ channelAnalogId: z.int(), units: z.array(z.string()) })),
  }),
  thermistors: get("/api/channel/getNtc", {
    access,
    summary: "The thermistors that an analog input supports: ohms at 25 degC and B constant in kelvin",
    result: z.array(z.object({ ntcType: z.string(), r25: z.number(), b: z.number() })),
  }),
  analogs: get("/api/channel/analog", {
    access,
    summary: "The quantities that an analog input can be configured to measure",
    result: z.array(z.object({ channelAnalogId: z.int(), name: z.string() })),
  }),
  setup: get("/api/channel/deviceInfo", {
    access,
    summary:
      "A device's channels with their editable settings, the settings version, and whether the device has confirmed it",
    query: z.object({ deviceId }),
    result: DeviceSetup,
  }),
  choices: get("/api/device/getChannel", {
    access,
    summary: "The channels of a device to choose from, each with its ZERO and SPAN",
    query: z.object({ deviceId }),
    result: z.array(ChannelChoice),
  }),
  outputs: get("/api/device/getDoChannel", {
    access,
    summary: "The digital outputs of a device to choose from",
    query: z.object({ deviceId }),
    result: z.array(ChannelRow),
  }),
  modify: post("/api/channel/modify", {
    access: writing,
    summary: "Saves settings of several channels of a device, all or none; they apply at once",
    encoding: "json",
    query: z.object({ deviceId, settingsVersion: wire.int().optional() }),
    payload: z
      .array(z.object({ channelId: z.int32(), channelName: channelName.optional(), channelKeys: ChannelKeys }))
      .max(200, { error: "At most 200 channels" }),
    result: Saved,
  }),
  modifyBasic: post("/api/channel/modify/basic", {
    access: writing,
    summary: "Renames a channel and switches it on or off",
    body: z.object({
      channelId: wire.int(),
      channelName: channelName.optional(),
      channelSwitch: channelSwitch.optional(),
      settingsVersion: wire.int().optional(),
    }),
    result: Saved,
  }),
  modifyOutput: post("/api/device/modifyDo", {
    access: writing,
    summary: "Saves the name and the settings of one digital output; a form holds channelKeys as JSON text",
    body: z.object({
      channelId: wire.int(),
      channelName: channelName.optional(),
      channelKeys: keysField,
      settingsVersion: wire.int().optional(),
    }),
    result: Saved,
  }),
};
