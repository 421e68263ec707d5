import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { ChannelSettings, ChannelType } from "@telltale/contract/domains/channels";
import { DeviceType, Model } from "@telltale/contract/domains/devices";
import { z } from "zod";
import { signalNames } from "./plant/signals.ts";

/**
 * A channel of a simulated device. `settings` are the console's (range, unit, alarm limits, how the value arrives); `signal` names the
 * quantity of the plant that it measures, otherwise name, unit and kind tell.
 */
const FleetChannel = z.preprocess(
  (value) => (typeof value === "string" ? { code: value } : value),
  z.object({
    code: z.string().min(1),
    name: z.string().default(""),
    signal: z.enum(signalNames).optional(),
    /** Which of two like machines it is fitted to; where nothing is said, the names tell. */
    number: z.union([z.literal(1), z.literal(2)]).optional(),
    /** Where a counter stood when the fleet was stopped: it goes on from there. */
    counted: z.number().optional(),
    /** How its values are sent; absent: as an analog input sends them. */
    channelType: z.enum(ChannelType).optional(),
    settings: ChannelSettings.partial().default({}),
    /** What it was set to before, oldest first, each until a time in epoch milliseconds; the past is written by these. */
    earlier: z.array(z.object({ until: z.number(), settings: ChannelSettings.partial() })).optional(),
  }),
);
export type FleetChannel = z.output<typeof FleetChannel>;

const FleetDevice = z.object({
  deviceSnId: z.string().min(1),
  accessToken: z.string().min(1),
  typeId: z.union(Object.values(Model).map((model) => z.literal(model))),
  deviceType: z.union([z.literal(DeviceType.main), z.literal(DeviceType.sub)]),
  /** The master that a sub-device is reached through; without one it connects by itself. */
  parentDeviceSnId: z.string().nullish(),
  /** Where its master finds a third-party device on the modbus line. */
  modbusAddress: z.int().nullish(),
  deviceName: z.string().default(""),
  /** What it runs when it starts. */
  firmwareVersion: z.string().optional(),
  /** Fresh from its box, with no past to write; where nothing is said, a unit that nobody has named. */
  isNew: z.boolean().optional(),
  /** When it was installed, epoch milliseconds: its past begins then, and it reported as its settings of the time say. */
  since: z.number().optional(),
  /** When it went silent for good. */
  until: z.number().optional(),
  channels: z.array(FleetChannel).min(1),
});
export type FleetDevice = z.output<typeof FleetDevice>;

/** A fleet description: devices with their channels. */
const Fleet = z.array(FleetDevice).min(1);

/** Checks a fleet description; the message names the first thing that is wrong. */
export const parseFleet = (json: string): FleetDevice[] => {
  const { data, error } = Fleet.safeParse(JSON.parse(json));
  if (!data) throw new Error(z.prettifyError(error));
  const ids = new Set(data.map((device) => device.deviceSnId));
  const orphan = data.find((device) => device.parentDeviceSnId && !ids.has(device.parentDeviceSnId));
  if (orphan) throw new Error(`The master ${orphan.parentDeviceSnId} of ${orphan.deviceSnId} is not in the fleet`);
  return data;
};

/** Reads a fleet description from a file, or from standard input for `-`. */
export const readFleet = async (path: string): Promise<FleetDevice[]> =>
  parseFleet(path === "-" ? await text(process.stdin) : await readFile(path, "utf8"));
