import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { ChannelSettings, ChannelType } from "@telltale/contract/domains/channels";
import { DeviceType, Model } from "@telltale/contract/domains/devices";
import { z } from "zod";
import { typedFile } from "./installed.ts";
import { signalNames } from "./plant/signals.ts";

/**
 * A channel of a simulated device. `settings` are the console's (range, unit, alarm limits, value form); `signal` names the measured quantity of the
 * plant; by default it is derived from name, unit and kind.
 */
const FleetChannel = z.preprocess(
  (value) => (typeof value === "string" ? { code: value } : value),
  z.object({
    code: z.string().min(1),
    name: z.string().default(""),
    signal: z.enum(signalNames).optional(),
    /** Which of two identical machines it is fitted to; by default derived from the names. */
    number: z.union([z.literal(1), z.literal(2)]).optional(),
    /** A counter's value when the fleet was stopped, from which it continues. */
    counted: z.number().optional(),
    /** How its values are sent; absent: as an analog input sends them. */
    channelType: z.enum(ChannelType).optional(),
    settings: ChannelSettings.partial().default({}),
    /** Its settings history, oldest first, each until a time in epoch milliseconds; history is written with these. */
    earlier: z.array(z.object({ until: z.number(), settings: ChannelSettings.partial() })).optional(),
  }),
);
export type FleetChannel = z.output<typeof FleetChannel>;

const FleetDevice = z.object({
  deviceSnId: z.string().min(1),
  accessToken: z.string().min(1),
  typeId: z.union(Object.values(Model).map((model) => z.literal(model))),
  deviceType: z.union([z.literal(DeviceType.main), z.literal(DeviceType.sub)]),
  /** The master of a sub-device; without one it connects directly. */
  parentDeviceSnId: z.string().nullish(),
  /** Modbus address of a third-party device. */
  modbusAddress: z.int().nullish(),
  deviceName: z.string().default(""),
  /** Firmware version at the start. */
  firmwareVersion: z.string().optional(),
  /** A new device without history; by default a unit without a name. */
  isNew: z.boolean().optional(),
  /** When it was installed, epoch milliseconds: its history starts then, with the report intervals of its settings history. */
  since: z.number().optional(),
  /** When it went silent for good. */
  until: z.number().optional(),
  channels: z.array(FleetChannel).min(1),
});
export type FleetDevice = z.output<typeof FleetDevice>;

/** A fleet description: devices with their channels. */
const Fleet = z.array(FleetDevice).min(1);

/** Validates a fleet description; the message names the first error. */
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
  parseFleet(path === "-" ? await text(process.stdin) : await readFile(typedFile(path), "utf8"));
