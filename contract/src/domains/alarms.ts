import { z } from "zod";
import { get, post } from "../call/call.ts";
import { page, pageQuery } from "../call/paging.ts";
import * as wire from "../call/wire.ts";
import { namedField } from "../text/text-fields.ts";
import { AlertClass, AlertType } from "./alerts.ts";
import { ContactStatus, ContactType } from "./people/contacts.ts";

/** Classes that an alarm is made of: custom ones by everybody who may configure, the two others by the owner. (spec 2 §6) */
export const systemClasses: readonly AlertClass[] = [AlertClass.threshold, AlertClass.notification];
const alarmClasses = [AlertClass.custom, ...systemClasses];

/** On which side of its value a custom alarm is raised. (spec 2 §3) */
export const thresholdTypes = { [AlertType.high]: "High", [AlertType.low]: "Low" } as const;

/** Most characters of an alarm's name. (spec 2 §9) */
export const longestAlarmName = 16;

/** Whom an alarm is told, besides the users that it is assigned to. `type` and `status` as a contact's. */
export const AlarmRecipient = z.object({
  notifyUserId: z.int(),
  type: z.enum(ContactType),
  name: z.string(),
  contactInfo: z.string(),
  status: z.enum(ContactStatus),
});
export type AlarmRecipient = z.output<typeof AlarmRecipient>;

/**
 * A rule that raises alerts (class 1), or a name for a device's own limits (class 2) or notifications (class 4), by which these are
 * assigned to users and told to contacts. Channel, type, value and hysteresis are those of class 1 only. `version` is raised by every change.
 * Names may be given twice: with 16 characters and a thousand devices the device beside it tells them apart.
 */
export const AlarmRow = z.object({
  alarmId: z.int(),
  alarmName: z.string(),
  alarmClass: z.enum(AlertClass),
  deviceId: z.int(),
  deviceName: z.string(),
  deviceSnId: z.string(),
  deviceChannelId: z.int().nullable(),
  channelName: z.string().nullable(),
  channelAnalogId: z.int().nullable(),
  /** Of the value and the hysteresis. */
  unit: z.string(),
  type: z.enum(AlertType).nullable(),
  alarmValue: z.number().nullable(),
  alarmHysteresis: z.number().nullable(),
  notifyUserIds: wire.commaList(wire.int()),
  notifyUsers: z.array(AlarmRecipient),
  createdTime: wire.time(),
  /** Empty where nobody made it by hand. */
  createdBy: z.string(),
  version: z.int(),
});
export type AlarmRow = z.output<typeof AlarmRow>;

/** What a channel's values lie between, for the alarm's value: null where there is no end. */
export interface AlarmRange {
  /** ZERO and SPAN of an analog channel; the ends of an NTC's table; 0 and 1 of a contact, 0 of a count. */
  zero: number | null;
  span: number | null;
  /** The value never lies beyond an end, not even a little, as a sensor's does: contacts and counts. */
  isDiscrete: boolean;
}

/** A channel to watch by a custom alarm. */
export const AlarmChannel = z.object({
  deviceChannelId: z.int(),
  channelName: z.string(),
  channelCn: z.string(),
  channelAnalogId: z.int(),
  unit: z.string(),
  zero: z.number().nullable(),
  span: z.number().nullable(),
  isDiscrete: z.boolean(),
});
export type AlarmChannel = z.output<typeof AlarmChannel>;

const wrongValue = "Enter the correct alarm value";

interface Limit {
  type: number;
  alarmValue: number;
  alarmHysteresis: number;
}

/** Between 0.3 and 0.1 there lies a little less than 0.2. */
const noise = 1e-9;

/**
 * What is wrong with an alarm's value or hysteresis on a channel of this range; undefined when nothing is. The value lies in ZERO..SPAN, and
 * so does the point behind the hysteresis, as with a device's own limits: beyond it no reading could ever clear the alert. (spec 2 §5)
 */
export const limitError = (
  { type, alarmValue, alarmHysteresis }: Limit,
  range: AlarmRange,
): { field: "alarmValue" | "alarmHysteresis"; message: string } | undefined => {
  const [zero, span] = [range.zero ?? Number.NEGATIVE_INFINITY, range.span ?? Number.POSITIVE_INFINITY];
  const wrong = { field: "alarmValue", message: wrongValue } as const;
  if (alarmValue < zero || alarmValue > span) return wrong;
  /** How far a value can go back from the limit. */
  const room = type === AlertType.low ? span - alarmValue : alarmValue - zero;
  const margin = noise * Math.max(1, Math.abs(alarmValue));
  const fits = (hysteresis: number) => (range.isDiscrete ? hysteresis < room - margin : hysteresis <= room + margin);
  if (!fits(0)) return wrong;
  if (fits(alarmHysteresis)) return undefined;
  const most = `${range.isDiscrete ? "less than" : "at most"} ${Number(room.toPrecision(10))}`;
  return { field: "alarmHysteresis", message: `With this hysteresis the alert would never clear. Enter ${most}` };
};

/** A field that other classes than custom leave blank. */
const blankable = <T extends z.ZodType<number, string>>(field: T) =>
  z
    .codec(z.string(), z.string().optional(), {
      decode: (text) => (text.trim() === "" ? undefined : text),
      encode: (text) => text ?? "",
    })
    .pipe(field.optional())
    .optional();

const noChannel = "Please select a Channel";
const noThresholdType = "Please select a threshold type";
const noRecipient = "No email or phone number selected";

const fields = {
  alarmName: namedField("Alert name cannot be blank", longestAlarmName),
  alarmClass: wire.oneOf(alarmClasses, "Please enter an Alert type"),
  deviceId: wire.int("Please select a Device"),
  deviceChannelId: blankable(wire.int(noChannel)),
  type: blankable(wire.oneOf([AlertType.high, AlertType.low], noThresholdType)),
  alarmValue: blankable(wire.decimal(wrongValue)),
  alarmHysteresis: blankable(wire.decimal("Enter the hysteresis as a number")),
  notifyUserIds: wire.commaList(wire.int("Choose recipients of the list")).default([]),
};

type Field = keyof typeof fields;

/** What class 1 has to have, in the specification's order; a form asks before every field has been read. (spec 2 §5) */
const demands: readonly [Field, string, (given: unknown) => boolean][] = [
  ["deviceChannelId", noChannel, (given) => given !== undefined],
  ["type", noThresholdType, (given) => given !== undefined],
  ["alarmValue", "Enter alert value cannot be blank", (given) => given !== undefined],
  ["alarmHysteresis", "Enter alert hysteresis cannot be blank", (given) => given !== undefined],
  ["alarmHysteresis", "The hysteresis cannot be negative", (given) => !(Number(given) < 0)],
  ["notifyUserIds", noRecipient, (given) => Array.isArray(given) && given.length > 0],
];

const demanding = <T extends z.ZodObject>(body: T): T =>
  body.superRefine(
    (given, { addIssue }) => {
      if (given.alarmClass !== AlertClass.custom) return;
      for (const [path, message, isMet] of demands)
        if (!isMet(given[path])) addIssue({ code: "custom", path: [path], message });
    },
    // Said together with what is wrong with the other fields, not after they are right.
    { when: ({ value }) => typeof value === "object" && value !== null },
  ) as T;

const Added = demanding(z.object(fields));
const Updated = demanding(z.object({ alarmId: wire.int(), ...fields, version: wire.int().optional() }));

/** The body of a form that knows the range of the chosen channel: it says at once what the server would. */
export const withinRange = <T extends typeof Added | typeof Updated>(body: T, range: AlarmRange | undefined): T =>
  range === undefined
    ? body
    : (body.superRefine(
        ({ alarmClass, type, alarmValue, alarmHysteresis = 0 }, { addIssue }) => {
          if (alarmClass !== AlertClass.custom || typeof alarmValue !== "number" || typeof type !== "number") return;
          const validationError = limitError({ type, alarmValue, alarmHysteresis }, range);
          if (validationError)
            addIssue({ code: "custom", path: [validationError.field], message: validationError.message });
        },
        { when: ({ value }) => typeof value === "object" && value !== null },
      ) as T);

const listFilter = {
  ...pageQuery,
  alarmName: wire.text().optional(),
  deviceSnId: wire.text().optional(),
  alarmClass: wire.commaList(wire.oneOf<number>(alarmClasses, "Please enter an Alert type")).optional(),
  createdStartTime: wire.rangeStart().optional(),
  createdEndTime: wire.rangeEnd().optional(),
};

const alarmId = wire.int();

/** The rules that raise alerts, and whom they are told. (spec 2 §2, §5, §7) */
export const alarms = {
  systemList: get("/api/alarm/sysList", {
    access: "alarms.read",
    summary: "Alerts about devices' own limits (class 2) and their notifications (class 4), the latest first",
    query: z.object(listFilter),
    result: page(AlarmRow),
  }),
  list: get("/api/alarm/list", {
    access: "alarms.read",
    summary: "Custom alerts (class 1), the latest first",
    query: z.object(listFilter),
    result: page(AlarmRow),
  }),
  info: get("/api/alarm/info", {
    access: "alarms.read",
    summary: "One alert as it is configured",
    query: z.object({ alarmId }),
    result: AlarmRow,
  }),
  names: get("/api/alarm/noPageList", {
    access: "alarms.read",
    summary: "Every configured alert by name, to assign to users",
    result: z.array(AlarmRow.pick({ alarmId: true, alarmName: true, alarmClass: true, deviceName: true })),
  }),
  channels: get("/api/alarm/channels", {
    access: "alarms.read",
    summary: "Channels of a device that a custom alert can watch, with what their values lie between",
    query: z.object({ deviceId: wire.int("Please select a Device") }),
    result: z.array(AlarmChannel),
  }),
  add: post("/api/alarm/addAlarm", {
    access: "alarms.write",
    summary: "Makes an alert; a custom one judges from the next reading on. Classes 2 and 4 are the owner's to make",
    body: Added,
    result: z.object({ alarmId: z.int() }),
  }),
  update: post("/api/alarm/updateAlarm", {
    access: "alarms.write",
    summary: "Changes an alert; what it has raised and no longer says is cleared at once",
    body: Updated,
    result: z.null(),
  }),
  remove: post("/api/alarm/deleteAlarm", {
    access: "alarms.write",
    summary: "Deletes an alert; what it has raised is cleared and stays in the log",
    body: z.object({ alarmId }),
    result: z.null(),
  }),
};
