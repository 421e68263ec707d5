import { z } from "zod";
import { get, post } from "../call/call.ts";
import { page, pageQuery } from "../call/paging.ts";
import * as wire from "../call/wire.ts";
import { ContactType } from "../notification-channels.ts";
import { namedField } from "../text/text-fields.ts";
import { type AlarmRange, rangeError, wrongValue } from "./alerting/alarm-range.ts";
import { AlarmCondition, conditionFields, hasHysteresis, hasValue, timesError } from "./alerting/conditions.ts";
import { GateType, gateError, gateFields, gateFieldsError } from "./alerting/gate.ts";
import { AlertClass, AlertPriority, AlertType } from "./alerts.ts";
import { ContactStatus } from "./people/contacts.ts";

/** Alert classes that are created by configuration: custom ones by every account that may configure, the other two by the owner. (spec 2 §6) */
export const systemClasses: readonly AlertClass[] = [AlertClass.threshold, AlertClass.notification];
const alarmClasses = wire.only(AlertClass, [AlertClass.custom, ...systemClasses]);

/** Whether a custom alarm is raised above or below its value. (spec 2 §3) */
export const thresholdTypes = { [AlertType.high]: "High", [AlertType.low]: "Low" } as const;

/** Maximum length of an alarm's name. (spec 2 §9) */
export const longestAlarmName = 16;

/** Maximum length of what to do when an alarm is raised. */
export const longestResponse = 500;

/** A contact that is notified of an alarm, in addition to the users it is assigned to. `type` and `status` as in a contact. */
export const AlarmRecipient = z.object({
  notifyUserId: z.int(),
  type: z.enum(ContactType),
  name: z.string(),
  contactInfo: z.string(),
  status: z.enum(ContactStatus),
});
export type AlarmRecipient = z.output<typeof AlarmRecipient>;

/**
 * A rule that raises alerts (class 1) by its condition, or an entry for a device's own limits (class 2) or notifications (class 4) that assigns these to users
 * and contacts. Channel, type, value and hysteresis are set for class 1 only. `version` is incremented by every change.
 * Names need not be unique: with 16 characters and a thousand devices, the device shown next to it distinguishes them.
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
  /** Unit of the value and the hysteresis; of a rate, they are that in a minute. */
  unit: z.string(),
  condition: z.enum(AlarmCondition),
  type: z.enum(AlertType).nullable(),
  alarmValue: z.number().nullable(),
  alarmHysteresis: z.number().nullable(),
  priority: z.enum(AlertPriority),
  /** What to do when it is raised. */
  response: z.string(),
  /** 1 when it raises alerts and notifies, 0 when it is switched off. */
  enabled: z.literal([0, 1]),
  /** Seconds for which the condition must hold before the alert is raised, and be gone before it clears. */
  onDelay: z.int(),
  offDelay: z.int(),
  /** The alert is raised by so many occurrences within `window` seconds; at the first when it is 1. Other conditions look at the `window`. */
  times: z.int(),
  window: z.int(),
  /** The channel that must be ON, or above or below `gateValue`, for the alert to be raised; null and an empty name without one. */
  gateChannelId: z.int().nullable(),
  gateChannelName: z.string(),
  gateDeviceName: z.string(),
  gateUnit: z.string(),
  gateType: z.enum(GateType).nullable(),
  gateValue: z.number().nullable(),
  /** Seconds after the gate opens in which the condition does not count. */
  startUp: z.int(),
  notifyUserIds: wire.commaList(wire.int()),
  notifyUsers: z.array(AlarmRecipient),
  /** Its escalation plan; null and an empty name: the plant's default. */
  planId: z.int().nullable(),
  planName: z.string(),
  createdTime: wire.time(),
  /** Empty when no user created it. */
  createdBy: z.string(),
  version: z.int(),
});
export type AlarmRow = z.output<typeof AlarmRow>;

/** A channel that a custom alarm can watch. */
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

/** A channel that can be a custom alarm's gate, with its device. */
export const GateChannel = AlarmChannel.extend({ deviceId: z.int(), deviceName: z.string() });
export type GateChannel = z.output<typeof GateChannel>;

/** A field that classes other than custom leave blank. */
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

/** Fields of an alert that is added, changed or tried. */
export const alarmFields = {
  alarmName: namedField("Alert name cannot be blank", longestAlarmName),
  alarmClass: wire.oneOf(alarmClasses, "Please enter an Alert type"),
  deviceId: wire.int("Please select a Device"),
  deviceChannelId: blankable(wire.int(noChannel)),
  type: blankable(wire.oneOf(wire.only(AlertType, [AlertType.high, AlertType.low]), noThresholdType)),
  alarmValue: blankable(wire.decimal(wrongValue)),
  alarmHysteresis: blankable(wire.decimal("Enter the hysteresis as a number")),
  // What a change leaves out of these stays as it is.
  notifyUserIds: wire.commaList(wire.int("Choose recipients from the list")).optional(),
  /** Its escalation plan; 0 or blank: the plant's default. */
  planId: wire.intOrNone("Choose an escalation plan from the list").optional(),
  priority: wire.oneOf(AlertPriority, "Choose a priority").optional(),
  response: z.string().trim().max(longestResponse, `What to do has at most ${longestResponse} characters`).optional(),
  enabled: wire.oneOf([0, 1], "Send 1 to enable the alert, 0 to disable it").optional(),
  ...conditionFields,
  ...gateFields,
};

type Field = keyof typeof alarmFields;

/** What an alarm of class 1 demands of a field; `when`: of which conditions. */
interface Demand {
  field: Field;
  message: string;
  isMet: (given: unknown) => boolean;
  when?: (condition: number | undefined) => boolean;
}

const isGiven = (given: unknown): boolean => given !== undefined;

/** Required fields of class 1 in the specification's order; forms validate before all fields have been parsed. (spec 2 §5) */
const demands: readonly Demand[] = [
  { field: "deviceChannelId", message: noChannel, isMet: isGiven },
  { field: "type", message: noThresholdType, isMet: isGiven, when: hasValue },
  { field: "alarmValue", message: "Enter alert value cannot be blank", isMet: isGiven, when: hasValue },
  { field: "alarmHysteresis", message: "Enter alert hysteresis cannot be blank", isMet: isGiven, when: hasHysteresis },
  {
    field: "alarmHysteresis",
    message: "The hysteresis cannot be negative",
    isMet: (given) => !(Number(given) < 0),
    when: hasHysteresis,
  },
  { field: "notifyUserIds", message: noRecipient, isMet: (given) => Array.isArray(given) && given.length > 0 },
];

/** Adds to a body what custom alerts must have; `except` where a field does not matter. */
export const demanding = <T extends z.ZodObject>(body: T, except?: Field): T =>
  body.superRefine(
    (given, { addIssue }) => {
      if (given.alarmClass !== AlertClass.custom) return;
      const condition = typeof given.condition === "number" ? given.condition : undefined;
      for (const { field, message, isMet, when } of demands)
        if (field !== except && (when?.(condition) ?? true) && !isMet(given[field]))
          addIssue({ code: "custom", path: [field], message });
      for (const error of [timesError(given), gateFieldsError(given)])
        if (error) addIssue({ code: "custom", path: [error.field], message: error.message });
    },
    // Runs even when other fields are invalid, so that all errors are shown together.
    { when: ({ value }) => typeof value === "object" && value !== null },
  ) as T;

const Added = demanding(z.object(alarmFields));
const Updated = demanding(z.object({ alarmId: wire.int(), ...alarmFields, version: wire.int().optional() }));

/**
 * The form's body schema with the ranges of the chosen channel and of the gate's: the form then reports the server's errors before it sends.
 */
export const withinRange = <T extends typeof Added | typeof Updated>(
  body: T,
  range: AlarmRange | undefined,
  gateRange?: AlarmRange,
): T =>
  range === undefined
    ? body
    : (body.superRefine(
        (given, { addIssue }) => {
          if (given.alarmClass !== AlertClass.custom) return;
          for (const error of [rangeError(given, range), gateRange && gateError(given, gateRange)])
            if (error) addIssue({ code: "custom", path: [error.field], message: error.message });
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

/** Alert rules and their recipients. (spec 2 §2, §5, §7) */
export const alarms = {
  systemList: get("/api/alarm/sysList", {
    access: "alarms.read",
    summary: "Alerts for devices' own limits (class 2) and notifications (class 4), newest first",
    query: z.object(listFilter),
    result: page(AlarmRow),
  }),
  list: get("/api/alarm/list", {
    access: "alarms.read",
    summary: "Custom alerts (class 1), newest first",
    query: z.object(listFilter),
    result: page(AlarmRow),
  }),
  info: get("/api/alarm/info", {
    access: "alarms.read",
    summary: "The configuration of one alert",
    query: z.object({ alarmId }),
    result: AlarmRow,
  }),
  names: get("/api/alarm/noPageList", {
    access: "alarms.read",
    summary: "All configured alerts by name, for assignment to users",
    result: z.array(AlarmRow.pick({ alarmId: true, alarmName: true, alarmClass: true, deviceName: true })),
  }),
  channels: get("/api/alarm/channels", {
    access: "alarms.read",
    summary: "Channels of a device that a custom alert can watch, with their value ranges",
    query: z.object({ deviceId: wire.int("Please select a Device") }),
    result: z.array(AlarmChannel),
  }),
  gateChannels: get("/api/alarm/gateChannels", {
    access: "alarms.read",
    summary: "Channels of a device and its master's family that a custom alert can depend on, with their value ranges",
    query: z.object({ deviceId: wire.int("Please select a Device") }),
    result: z.array(GateChannel),
  }),
  add: post("/api/alarm/addAlarm", {
    access: "alarms.write",
    summary: "Creates an alert; a custom one applies from the next reading on. Only the owner creates classes 2 and 4",
    body: Added,
    result: z.object({ alarmId: z.int() }),
  }),
  update: post("/api/alarm/updateAlarm", {
    access: "alarms.write",
    summary: "Updates an alert; open alert entries that the new rule would not raise are cleared at once",
    body: Updated,
    result: z.null(),
  }),
  remove: post("/api/alarm/deleteAlarm", {
    access: "alarms.write",
    summary: "Deletes an alert; its open entries are cleared and stay in the log",
    body: z.object({ alarmId }),
    result: z.null(),
  }),
};
