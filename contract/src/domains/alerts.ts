import { z } from "zod";
import { get } from "../call/call.ts";
import { detailPageSize, page, pageQuery } from "../call/paging.ts";
import * as wire from "../call/wire.ts";

/** States of an alert log entry. (spec 1 §4) */
export const AlertStatus = { triggered: 1, confirmed: 2, cleared: 3 } as const;
export type AlertStatus = (typeof AlertStatus)[keyof typeof AlertStatus];
export const alertStatusLabels: Record<AlertStatus, string> = { 1: "Triggered", 2: "Confirmed", 3: "Cleared" };

/** Kind of rule that raised the alert. (spec 1 §4) */
export const AlertClass = { custom: 1, threshold: 2, user: 3, notification: 4 } as const;
export type AlertClass = (typeof AlertClass)[keyof typeof AlertClass];
export const alertClassLabels: Record<AlertClass, string> = {
  1: "Custom",
  2: "Threshold",
  3: "User",
  4: "Notification",
};

/** Kind of event. (spec 1 §4) */
export const AlertType = { high: 1, low: 2, system: 3, digitalInput: 4, counting: 5, digitalOutput: 6 } as const;
export type AlertType = (typeof AlertType)[keyof typeof AlertType];
export const alertTypeLabels: Record<AlertType, string> = {
  1: "High",
  2: "Low",
  3: "System",
  4: "DI",
  5: "Counting",
  6: "DO",
};

/** How much an alert matters; told by shape and label, never by hue. (ISA-18.2) */
export const AlertPriority = { high: 1, medium: 2, low: 3 } as const;
export type AlertPriority = (typeof AlertPriority)[keyof typeof AlertPriority];
export const alertPriorityLabels: Record<AlertPriority, string> = { 1: "P1", 2: "P2", 3: "P3" };

/** One occurrence of an alarm. `interval` is the channel's report interval in seconds at the time it was raised. */
export const AlertRow = z.object({
  alarmLogId: z.int(),
  alarmLogGroupId: z.int(),
  status: z.enum(AlertStatus),
  alarmClass: z.enum(AlertClass),
  alarmType: z.enum(AlertType),
  deviceChannelId: z.int().nullable(),
  channelName: z.string().nullable(),
  /** Whether its channel is a contact, whose values are ON and OFF. */
  isSwitch: z.boolean(),
  /** Whether its value and limit are rates of change, and not values of its channel. */
  isRate: z.boolean(),
  deviceName: z.string(),
  deviceSnId: z.string(),
  deviceId: z.int(),
  value: z.number().nullable(),
  /** Unit of the value; of a rate of change, that of the channel in a minute. */
  valueUnit: z.string(),
  threshold: z.number().nullable(),
  interval: z.int().nullable(),
  createdTime: wire.time(),
  acceptTime: wire.time().nullable(),
  modifiedTime: wire.time().nullable(),
  acceptName: z.string().nullable(),
  msg: z.string(),
  /** When it was raised, as `createdTime`. (spec 1 §3) */
  time: wire.time(),
  /** Name of the rule as it raised the alert; empty when no rule of a person did. */
  alarmName: z.string(),
  priority: z.enum(AlertPriority),
  /** When the server learned of it; later than `createdTime` where the device reported late. */
  receivedTime: wire.time().nullable(),
  /** The most extreme value so far. */
  peak: z.number().nullable(),
  /** Who has it. */
  assignedName: z.string().nullable(),
  /** Whether it stands and nobody is notified of it. */
  isSilent: z.boolean(),
  /** Until when; null when that is not known, while a silent master is silent. */
  silentUntil: wire.time().nullable(),
  /** Whether it was raised while it was silenced: nobody was notified then. */
  wasSilent: z.boolean(),
});
export type AlertRow = z.output<typeof AlertRow>;

/** Milliseconds within which alerts of a family, a master and its sub-devices, are compared: which came first. */
export const firstOutWithin = 60_000;

/** An alert of the log, with its place among those of its family. Repetitions of one rule, and notifications, do not count as others. */
export const LoggedAlert = AlertRow.extend({
  /** It was the first of so many within a minute; null for one that stands alone, and one that follows another. */
  firstOf: z.int().nullable(),
  /** The first of the minute before it. */
  follows: z.object({ alarmLogId: z.int(), name: z.string(), seconds: z.number() }).nullable(),
});
export type LoggedAlert = z.output<typeof LoggedAlert>;

/** Whether an alert waits for a person: it is triggered, and neither silenced nor about nothing that somebody would have to do. */
export const isWaiting = ({
  status,
  alarmClass,
  alarmType,
  isSilent,
}: Pick<AlertRow, "status" | "alarmClass" | "alarmType" | "isSilent">): boolean =>
  status === AlertStatus.triggered &&
  !isSilent &&
  (alarmClass !== AlertClass.notification || alarmType === AlertType.system);

/** Who has confirmed an alert of a channel that still stands, and when. */
export const ConfirmedAlert = z.object({
  deviceId: z.int(),
  deviceChannelId: z.int(),
  acceptName: z.string(),
  acceptTime: wire.time(),
});
export type ConfirmedAlert = z.output<typeof ConfirmedAlert>;

/** A device event: online, offline, low battery, payment due, firmware, claimed. */
export const NotificationRow = z.object({
  alarmLogId: z.int(),
  alarmLogGroupId: z.int(),
  status: z.enum(AlertStatus),
  deviceId: z.int(),
  deviceName: z.string(),
  deviceSnId: z.string(),
  msg: z.string(),
  createdTime: wire.time(),
  acceptTime: wire.time().nullable(),
  acceptBy: z.string().nullable(),
});
export type NotificationRow = z.output<typeof NotificationRow>;

/** Longest note about an alert. */
export const longestNote = 1000;

/** A note about an alert. */
export const noteField = z.string().trim().max(longestNote, `A note has at most ${longestNote} characters`);

/** Most notifications in the strip above the log. */
export const stripLength = 3;

const times = {
  createdStartTime: wire.rangeStart().optional(),
  createdEndTime: wire.rangeEnd().optional(),
  modifyStartTime: wire.rangeStart().optional(),
  modifyEndTime: wire.rangeEnd().optional(),
};

const logFilter = {
  status: wire.list(wire.anyOf(AlertStatus)).optional(),
  alarmClass: wire.list(wire.anyOf(AlertClass)).optional(),
  alarmType: wire.list(wire.anyOf(AlertType)).optional(),
  channelName: wire.text().optional(),
  deviceName: wire.text().optional(),
  deviceSnId: wire.text().optional(),
  /** Report interval in seconds. */
  interval: wire.int().optional(),
  ...times,
  confirmStartTime: wire.rangeStart().optional(),
  confirmEndTime: wire.rangeEnd().optional(),
  /** Name or e-mail of the user who confirmed. */
  email: wire.text().optional(),
  /** Only alerts that were raised since then, not silenced, and ended before anybody confirmed them. */
  passedSince: wire.rangeStart().optional(),
};

export const alerts = {
  log: get("/api/alarm/log/list", {
    access: "alerts.read",
    summary: "The alert log, newest first, with the newest notifications for the bar above it",
    query: z.object({ ...pageQuery, ...logFilter }),
    result: page(LoggedAlert).extend({ notifications: z.array(NotificationRow) }),
  }),
  notifications: get("/api/alarm/log/notification/list", {
    access: "alerts.read",
    summary: "Notifications about devices, newest first",
    query: z.object({
      ...pageQuery,
      status: wire.list(wire.anyOf(AlertStatus)).optional(),
      deviceName: wire.text().optional(),
      deviceSnId: wire.text().optional(),
      ...times,
    }),
    result: page(NotificationRow),
  }),
  ofChannel: get("/api/alarm/history", {
    access: "devices.read",
    summary: "Alerts of one channel, newest first; without a channel, of a whole device",
    query: z.object({
      ...pageQuery,
      size: wire.intBetween(1, 200).default(detailPageSize),
      deviceChannelId: wire.int().optional(),
      deviceId: wire.int().optional(),
      ...logFilter,
    }),
    result: page(AlertRow),
  }),
  unconfirmed: get("/api/dashboard/alarm", {
    access: "alerts.read",
    summary:
      "Unconfirmed triggered alerts, by priority, then newest first, at most 1,000: of the equipment, and of the system such as offline",
    result: z.array(AlertRow),
  }),
  confirmed: get("/api/dashboard/alarm/confirmed", {
    access: "alerts.read",
    summary: "Who has confirmed what still stands, by channel, of the newest 1,000 alerts",
    result: z.array(ConfirmedAlert),
  }),
  confirm: get("/api/alarm/accept", {
    access: "alerts.confirm",
    summary: "Confirms one alert; confirming a confirmed or cleared one changes nothing",
    query: z.object({ alarmLogId: wire.int(), note: noteField.optional() }),
    result: z.null(),
  }),
  confirmAll: get("/api/alarm/acceptAll", {
    access: "alerts.confirm",
    summary:
      "Confirms all triggered alerts of the plant; with `untilId`, those up to this alert, so that what has arrived since is not confirmed unseen. Returns their number",
    query: z.object({ untilId: wire.int().optional() }),
    result: z.object({ confirmed: z.int() }),
  }),
};

/** Most rows that `alerts.unconfirmed` and `alerts.confirmed` return. */
export const unconfirmedLimit = 1000;
