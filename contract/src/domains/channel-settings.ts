import { z } from "zod";
import { get, post } from "../call/call.ts";
import * as wire from "../call/wire.ts";
import { ChannelKeys } from "../channel-types/keys.ts";
import { namedField } from "../text/text-fields.ts";
import { ChannelRow } from "./channels.ts";

/** A channel with its settings, to be changed. */
export const ChannelSetup = ChannelRow.extend({
  /** The unit's own sensor: see `ChannelKind`. */
  isBuiltIn: z.boolean(),
  /** All settings that are made, those besides that its present ones have no use for. */
  channelKeys: ChannelKeys,
  /** Changed since the device last confirmed its settings. */
  isPending: z.boolean(),
});
export type ChannelSetup = z.output<typeof ChannelSetup>;

/**
 * A device with its channels, at one moment. `settingsVersion` counts the saves; a save that names an older one is refused (409).
 * What was saved is pending until the device has confirmed it: `confirmedTime` is then when it did.
 */
export const DeviceSetup = z.object({
  deviceId: z.int(),
  deviceName: z.string(),
  deviceType: z.int(),
  typeId: z.int(),
  reportIntervalDefault: z.int(),
  reportIntervalLimit: z.int(),
  settingsVersion: z.int(),
  /** Null while nobody has changed what came with the device. */
  savedTime: wire.time().nullable(),
  /** Of whoever saved last; empty for somebody removed since. */
  savedBy: z.string(),
  isPending: z.boolean(),
  confirmedTime: wire.time().nullable(),
  channels: z.array(ChannelSetup),
});
export type DeviceSetup = z.output<typeof DeviceSetup>;

/** A channel to choose, with the range that an alarm of it must lie in. */
export const ChannelChoice = ChannelRow.extend({ zero: z.number().nullable(), span: z.number().nullable() });
export type ChannelChoice = z.output<typeof ChannelChoice>;

const deviceId = wire.int();
const channelName = namedField("Channel name cannot be blank");
const channelSwitch = wire.oneOf([0, 1], "A channel is on (1) or off (0)");

/** What was saved, and the version that it made. */
const Saved = z.object({ settingsVersion: z.int() });

const access = "configuration.read";
const writing = "devices.configure";

/** A device's channels as they are set up. (spec 2 §2, §5, §7) */
export const channelSettings = {
  units: get("/api/channel/unit", {
    access,
    summary: "What each quantity can be measured in",
    query: z.object({ channelAnalogId: wire.int().optional() }),
    result: z.array(z.object({ channelAnalogId: z.int(), units: z.array(z.string()) })),
  }),
  thermistors: get("/api/channel/getNtc", {
    access,
    summary: "The thermistors that an analog input can be read by: ohms at 25 degC and B constant in kelvin",
    result: z.array(z.object({ ntcType: z.string(), r25: z.number(), b: z.number() })),
  }),
  analogs: get("/api/channel/analog", {
    access,
    summary: "The quantities that an analog input can be set to measure",
    result: z.array(z.object({ channelAnalogId: z.int(), name: z.string() })),
  }),
  setup: get("/api/channel/deviceInfo", {
    access,
    summary:
      "A device's channels with their settings to be changed, their version, and whether the device has confirmed it",
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
    summary: "Saves settings of several channels of a device, all or none; they hold from that moment",
    encoding: "json",
    query: z.object({ deviceId, settingsVersion: wire.int().optional() }),
    payload: z
      .array(z.object({ channelId: z.int32(), channelName: channelName.optional(), channelKeys: ChannelKeys }))
      .max(200, { error: "At most 200 channels" }),
    result: Saved,
  }),
  modifyBasic: post("/api/channel/modify/basic", {
    access: writing,
    summary: "Names a channel and switches it on or off",
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
    summary: "Saves the name and the settings of one digital output",
    encoding: "json",
    body: z.object({
      channelId: z.int32(),
      channelName: channelName.optional(),
      channelKeys: ChannelKeys,
      settingsVersion: z.int32().optional(),
    }),
    result: Saved,
  }),
};
