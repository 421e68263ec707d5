import { Key } from "@telltale/contract/channel-types/keys";
import { ntcTypes } from "@telltale/contract/channel-types/options";
import { settingsByKey } from "@telltale/contract/channel-types/settings";
import { longestReportInterval, offlineReportRange } from "@telltale/contract/domains/device-configuration";
import { z } from "zod";
import { Alert, JointControl, Maintenance, named, Plan, Roster, Webhook } from "./alerting.ts";
import {
  alertReference,
  analogWords,
  channelReference,
  name,
  roleWords,
  selfRegisteringWords,
  words,
} from "./words.ts";

const Contact = z.strictObject({
  firstName: name,
  lastName: name,
  mayConfirm: z.boolean().optional().describe("Whether it may confirm alerts by the link in its messages"),
});

const Setting = z.union([z.number(), z.string(), z.null()], { error: "it is a number, a text or null" });
type Setting = z.output<typeof Setting>;

/** Settings that are a text; the others are numbers. */
const texts: ReadonlySet<Key> = new Set([Key.unit, Key.ntcType, Key.source]);

const listed = (entries: readonly [number | string, string][]): string =>
  entries.map(([value, label]) => `${value} (${label})`).join(", ");

/** What is wrong with a setting's value whatever the channel is; undefined when nothing is. */
const faultOf = (key: Key, value: Setting): string | undefined => {
  const { labels } = settingsByKey[key];
  if (value === null) return undefined;
  if (labels && !(typeof value === "number" && Object.hasOwn(labels, value)))
    return `it is one of ${listed(Object.entries(labels))}`;
  if (key === Key.ntcType && !(typeof value === "string" && Object.hasOwn(ntcTypes, value)))
    return `it is one of ${Object.keys(ntcTypes).join(", ")}`;
  if (texts.has(key)) return typeof value === "string" ? undefined : "it is a text";
  return typeof value === "number" ? undefined : "it is a number, or null for none";
};

/** A channel's settings by the names of the console, each with a value that it can have on some channel. */
const Settings = z
  .partialRecord(z.enum(Key), Setting)
  .superRefine((settings, context) => {
    for (const key of Object.values(Key)) {
      const value = settings[key];
      const fault = value === undefined ? undefined : faultOf(key, value);
      if (fault !== undefined) context.addIssue({ code: "custom", path: [key], message: fault });
    }
  })
  .describe("By the names of the console; null: none. A source of an output is `DEVICE/CHANNEL High` or `… Low`");

const Channel = z.strictObject({
  name: name.optional(),
  on: z.boolean().optional(),
  settings: Settings.optional(),
});

const Group = z.strictObject({
  icon: words(analogWords).optional(),
  channels: z.array(z.string()).describe("Codes of the device's channels"),
});

const between = (least: number, most: number) => {
  const error = `it is a whole number from ${least} to ${most}`;
  return z.int({ error }).min(least, error).max(most, error);
};

const Device = z.strictObject({
  id: name.optional().describe("The device ID printed on the unit"),
  serial: name.optional().describe("Instead: the serial number by which the device registers itself, with its model"),
  model: words(selfRegisteringWords).optional().describe("Of a device with a serial number"),
  name: name.optional().describe("Where the device is called otherwise than its entry"),
  master: z.string().optional().describe("Of a sub-device: name of its main device in this file"),
  offlineAfter: between(offlineReportRange.least, offlineReportRange.most)
    .optional()
    .describe("Minutes without data until it is offline"),
  reportEvery: between(1, longestReportInterval).optional().describe("Seconds between two reports"),
  disabled: z.boolean().optional(),
  channels: z.record(z.string(), Channel).optional().describe("By their codes"),
  groups: named(Group).optional().describe("Groups of a motor controller's channels, for dashboards"),
  alerts: named(Alert).optional(),
});

const Tile = z.union(
  [
    channelReference,
    z.strictObject({ controller: z.string().describe("Name of a motor controller") }),
    z.strictObject({ group: z.string().describe("Name of the device, slash, name of its group") }),
  ],
  { error: "it is DEVICE/CHANNEL, { controller: DEVICE } or { group: DEVICE/GROUP }" },
);

const Dashboard = z.strictObject({
  notes: z.string().optional(),
  default: z.boolean().optional().describe("Whether it is the plant's default; exactly one is"),
  tiles: z.array(Tile).describe("In their order; at least one"),
});

const User = z.strictObject({
  firstName: name.describe("Until the user has joined, who changes it then"),
  lastName: name,
  role: words(roleWords),
  phone: z.string().optional(),
  dashboard: z.string().nullable().optional().describe("The one that a viewer sees; null: the plant's default"),
  alerts: z.array(alertReference).optional().describe("Alerts that are mailed to the user"),
});

/**
 * What a plant file says, by stable names. A list that must have an entry may be empty here: what it named may have been deleted since. Whatever is left out of an entry stays as it is in the plant, and so does an entry that is not in the file. It
 * never holds a secret.
 */
export const PlantFile = z
  .strictObject({
    contacts: z.record(z.string(), Contact).optional().describe("By e-mail address or phone number with country code"),
    devices: named(Device).optional().describe("By name; found by their IDs, so that another name renames"),
    dashboards: named(Dashboard).optional().describe("By name"),
    users: z.record(z.string(), User).optional().describe("By e-mail address; without the owner"),
    rosters: named(Roster).optional().describe("Who is on call, by the roster's name"),
    webhooks: named(Webhook).optional().describe("Other systems that alerts are posted to, by name"),
    plans: named(Plan).optional().describe("Escalation plans by name: who is notified of an alert, step by step"),
    jointControls: named(JointControl).optional().describe("Outputs that alerts drive, by the control's name"),
    maintenance: named(Maintenance).optional().describe("Maintenance windows that repeat, by name"),
  })
  .describe("Configuration of a Telltale plant");
export type PlantFile = z.output<typeof PlantFile>;
export type Section = keyof PlantFile;

type Entry<S extends Section> = NonNullable<PlantFile[S]>[string];
export type DeviceEntry = Entry<"devices">;
export type ChannelEntry = NonNullable<DeviceEntry["channels"]>[string];
export type DashboardEntry = Entry<"dashboards">;
export type UserEntry = Entry<"users">;
