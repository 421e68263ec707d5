import { Key } from "@telltale/contract/channel-types/keys";
import { AlarmCondition } from "@telltale/contract/domains/alerting/conditions";
import { GateType } from "@telltale/contract/domains/alerting/gate";
import { AlertPriority, AlertType } from "@telltale/contract/domains/alerts";
import { Analog } from "@telltale/contract/domains/channels";
import { Role } from "@telltale/contract/permissions";
import { z } from "zod";
import { readYamlFile, type Written } from "./read-file.ts";

/** Words of the file for the contract's numbers. */
const words = <const T extends Record<string, number>>(numbers: T) =>
  z.enum(Object.keys(numbers) as [keyof T & string, ...(keyof T & string)[]]);

export const roleWords = {
  admin: Role.admin,
  deviceManager: Role.deviceManager,
  installer: Role.installer,
  viewer: Role.viewer,
} as const;
export const alertTypeWords = { high: AlertType.high, low: AlertType.low } as const;
export const conditionWords = AlarmCondition;
export const gateWords = GateType;
export const priorityWords = { P1: AlertPriority.high, P2: AlertPriority.medium, P3: AlertPriority.low } as const;
export const analogWords = Analog;

const name = z.string().min(1).max(64);
const seconds = z.int().min(0);

/** A channel by its device's name in the file and its code: `Pump house 2/AI1`. */
const channelReference = z.string().describe("A channel: name of the device in this file, slash, code of the channel");
const contactReference = z.string().describe("A contact: an address under `contacts`");

const Contact = z.strictObject({
  firstName: name,
  lastName: name,
  mayConfirm: z.boolean().optional().describe("Whether it may confirm alerts by the link in its messages"),
});

const Setting = z.union([z.number(), z.string(), z.null()]);

const Channel = z.strictObject({
  name: name.optional(),
  on: z.boolean().optional(),
  settings: z
    .partialRecord(z.enum(Key), Setting)
    .optional()
    .describe("By the names of the console; a source of an output is `DEVICE/CHANNEL High` or `… Low`"),
});

const Alert = z.strictObject({
  channel: z.string().describe("Code of the device's channel"),
  condition: words(conditionWords).optional(),
  type: words(alertTypeWords).optional(),
  value: z.number().optional(),
  hysteresis: z.number().optional(),
  priority: words(priorityWords).optional(),
  response: z.string().optional().describe("What to do when it is raised"),
  enabled: z.boolean().optional(),
  onDelay: seconds.optional(),
  offDelay: seconds.optional(),
  times: z.int().optional(),
  window: seconds.optional(),
  onlyWhile: z
    .strictObject({
      channel: channelReference,
      is: words(gateWords),
      value: z.number().optional(),
      startUp: seconds.optional(),
    })
    .nullable()
    .optional(),
  notify: z.array(contactReference).min(1),
  plan: z.string().nullable().optional().describe("Its escalation plan; null: the plant's default"),
});

const Group = z.strictObject({ icon: words(analogWords), channels: z.array(z.string()).min(1) });

const Device = z.strictObject({
  id: z.string().min(1).describe("The device ID printed on the unit"),
  name: name.optional().describe("Where the device is called otherwise than its entry"),
  master: z.string().optional().describe("Of a sub-device: name of its main device in this file"),
  offlineAfter: z.int().optional().describe("Minutes without data until it is offline"),
  reportEvery: z.int().optional().describe("Seconds between two reports"),
  disabled: z.boolean().optional(),
  channels: z.record(z.string(), Channel).optional(),
  groups: z.record(z.string(), Group).optional().describe("Groups of a motor controller's channels, for dashboards"),
  alerts: z.record(z.string(), Alert).optional(),
});

const Tile = z.union([
  channelReference,
  z.strictObject({ controller: z.string() }),
  z.strictObject({ group: z.string().describe("Name of the device, slash, name of its group") }),
]);

const Dashboard = z.strictObject({
  notes: z.string().optional(),
  default: z.boolean().optional(),
  tiles: z.array(Tile).min(1),
});

const User = z.strictObject({
  firstName: name,
  lastName: name,
  role: words(roleWords),
  phone: z.string().optional(),
  dashboard: z.string().nullable().optional().describe("The one that a viewer sees; null: the plant's default"),
  alerts: z
    .array(z.string())
    .optional()
    .describe("Those mailed to the user: name of the device, slash, name of the alert"),
});

/**
 * What a plant file says, by stable names. Whatever is left out of an entry stays as it is in the plant, and so does an entry that is not in the file. It
 * never holds a secret.
 */
export const PlantFile = z
  .strictObject({
    contacts: z.record(z.string(), Contact).optional(),
    devices: z.record(z.string(), Device).optional(),
    dashboards: z.record(z.string(), Dashboard).optional(),
    users: z.record(z.string(), User).optional(),
  })
  .describe("Configuration of a Telltale plant");
export type PlantFile = z.output<typeof PlantFile>;

/** A plant file as it was read. */
export type WrittenPlant = Written<PlantFile>;

/** Reads a plant file; throws `BadYamlFile` that names line and path of what it does not understand. */
export const readPlantFile = (name: string, text: string): WrittenPlant => readYamlFile(PlantFile, name, text);

type Entry<S extends keyof PlantFile> = NonNullable<PlantFile[S]>[string];
export type DeviceEntry = Entry<"devices">;
export type ChannelEntry = NonNullable<DeviceEntry["channels"]>[string];
export type AlertEntry = NonNullable<DeviceEntry["alerts"]>[string];
export type DashboardEntry = Entry<"dashboards">;
export type UserEntry = Entry<"users">;

/** The word of the file for one of the contract's numbers. */
export const wordOf = <T extends Record<string, number>>(numbers: T, wanted: number): keyof T & string => {
  const found = Object.entries(numbers).find(([, number]) => number === wanted);
  if (!found) throw new Error(`There is no word for ${wanted}`);
  return found[0];
};
