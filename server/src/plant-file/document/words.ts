import { AlarmCondition } from "@telltale/contract/domains/alerting/conditions";
import { GateType } from "@telltale/contract/domains/alerting/gate";
import { WindowRepeat } from "@telltale/contract/domains/alerting/maintenance";
import { WebhookFormat } from "@telltale/contract/domains/alerting/webhooks";
import { AlertClass, AlertPriority, AlertType } from "@telltale/contract/domains/alerts";
import { Analog } from "@telltale/contract/domains/channels";
import { Model } from "@telltale/contract/domains/devices";
import type { selfRegistering } from "@telltale/contract/domains/fleet/provisioning";
import { JointEnding, OutputLevel } from "@telltale/contract/domains/joint";
import { ContactType } from "@telltale/contract/notification-channels";
import { Role } from "@telltale/contract/permissions";
import { onOneLine } from "@telltale/contract/text/text-fields";
import { z } from "zod";

/** Models that can register themselves, by the beginning of their P/N. */
export const selfRegisteringWords = {
  AIS: Model.analog,
  DIS: Model.digitalInput,
  DOS: Model.digitalOutput,
  MIX: Model.mixed,
  VBS: Model.vibration,
} as const satisfies Record<string, (typeof selfRegistering)[number]>;
export const roleWords = {
  admin: Role.admin,
  deviceManager: Role.deviceManager,
  installer: Role.installer,
  viewer: Role.viewer,
} as const;
export const classWords = {
  custom: AlertClass.custom,
  threshold: AlertClass.threshold,
  notification: AlertClass.notification,
} as const;
export const alertTypeWords = { high: AlertType.high, low: AlertType.low } as const;
export const conditionWords = AlarmCondition;
export const gateWords = GateType;
export const priorityWords = { P1: AlertPriority.high, P2: AlertPriority.medium, P3: AlertPriority.low } as const;
export const analogWords = Analog;
/** The limits in a channel's settings that can drive an output. */
export const limitWords = {
  high: AlertType.high,
  low: AlertType.low,
  digitalInput: AlertType.digitalInput,
  counting: AlertType.counting,
} as const;
export const levelWords = OutputLevel;
export const endingWords = JointEnding;
export const formatWords = WebhookFormat;
/** Without windows that occur once: those are no configuration. */
export const repeatWords = {
  daily: WindowRepeat.daily,
  weekly: WindowRepeat.weekly,
  monthly: WindowRepeat.monthly,
} as const;
export const weekdayWords = { Mon: 1, Tue: 2, Wed: 3, Thu: 4, Fri: 5, Sat: 6, Sun: 7 } as const;

/** A field with the words for the contract's numbers. */
export const words = <const T extends Record<string, number>>(numbers: T) =>
  z.enum(Object.keys(numbers) as [keyof T & string, ...(keyof T & string)[]]);

/** The word of the file for one of the contract's numbers; undefined when there is none. */
export const wordFor = <T extends Record<string, number>>(
  numbers: T,
  wanted: number | null,
): (keyof T & string) | undefined => Object.entries(numbers).find(([, number]) => number === wanted)?.[0];

/** The word of the file for one of the contract's numbers, which has one. */
export const wordOf = <T extends Record<string, number>>(numbers: T, wanted: number): keyof T & string => {
  const found = wordFor(numbers, wanted);
  if (found === undefined) throw new Error(`There is no word for ${wanted}`);
  return found;
};

/** A name as the server keeps it: without spaces around it. */
export const name = onOneLine(
  z
    .string({ error: "it is a text" })
    .min(1, "a name cannot be blank")
    .max(64, "a name has at most 64 characters")
    .refine((text) => text === text.trim(), "a name cannot begin or end with a space"),
);

/** How long something waits. */
export const seconds = z.int().min(0).describe("Seconds");

/** A time of the local day: `08:00`. */
export const timeOfDay = z
  .string({ error: "it is a time such as 08:00" })
  .regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, "it is a time such as 08:00");

/** A channel by its device's name in the file and its code: `Pump house 2/AI1`. */
export const channelReference = z
  .string()
  .describe("A channel: name of the device in this file, slash, code of the channel");
export const contactReference = z.string().describe("A contact: an address under `contacts`");
export const deviceReference = z.string().describe("A device: its name in this file");
export const alertReference = z
  .string()
  .describe("An alert: name of its device in this file, slash, name of the alert");

/** The plant's owner, who stands in no file under `users`. */
export const ownerWord = "owner";
export const userReference = z
  .string()
  .describe("A user: an e-mail address under `users`, or `owner` for the plant's owner");

/** How a contact is reached, by its address. */
export const contactTypeOf = (address: string): ContactType =>
  address.includes("@") ? ContactType.mail : ContactType.phone;
