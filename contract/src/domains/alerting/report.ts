import { z } from "zod";
import { get, getFile } from "../../call/call.ts";
import * as wire from "../../call/wire.ts";
import { AlertClass, AlertType } from "../alerts.ts";

/** The limits by which the report counts; periods in milliseconds. (ISA-18.2, EEMUA 191) */
export const reportLimits = {
  /** Length of a period, and of the window by which a flood begins and ends. */
  period: 600_000,
  /** A flood begins with more alerts than this within a period's length, */
  floodOver: 10,
  /** and ends with fewer than this. */
  floodUnder: 5,
  /** A rule chatters when it raises this many alerts */
  chatterTimes: 3,
  /** within this time. */
  chatterWithin: 60_000,
  /** An alert that clears sooner is fleeting. */
  fleetingUnder: 60_000,
  /** An alert that stands longer is stale. */
  staleOver: 86_400_000,
} as const;

/** Most rules listed as the most frequent, and most floods. */
export const mostFrequentRules = 10;
export const mostFloodsListed = 50;

/** What raised an alert, as the report lists it. */
const Source = z.object({
  /** The rule, else the channel, else the device. */
  name: z.string(),
  /** The newest of its alerts in the month, or the first of a flood. */
  alarmLogId: z.int(),
});

/** One of the rules with the most alerts. */
export const FrequentRule = Source.extend({
  deviceId: z.int(),
  deviceName: z.string(),
  alarmClass: z.enum(AlertClass),
  alarmType: z.enum(AlertType),
  /** The custom alert, while it exists; null for device limits and events. */
  alarmId: z.int().nullable(),
  total: z.int(),
  /** Alerts that it raised while it chattered. */
  chattering: z.int(),
});
export type FrequentRule = z.output<typeof FrequentRule>;

/** A time in which alerts came faster than they can be read. */
export const Flood = z.object({ from: wire.time(), to: wire.time(), total: z.int(), first: Source });

const DayOfAlerts = z.object({
  /** Such as 2026-10-31. */
  day: z.string(),
  /** Alerts of each hour of the clock. An hour that daylight saving time skips has none; one that occurs twice holds both. */
  hours: z.array(z.int()).length(24),
  /** The hours that were, at least in part, in flood. */
  floodHours: z.array(z.int()),
});

/** A month of the plant's alerts, in the plant's time zone. */
export const AlertReport = z.object({
  /** Such as 2026-10. */
  month: z.string(),
  /** The months with a report: from the plant's first alert until now. */
  firstMonth: z.string(),
  lastMonth: z.string(),
  plantName: z.string(),
  timeZone: z.string(),
  /** The time that is counted: the month, not before the plant existed and not beyond now. */
  from: wire.time(),
  to: wire.time(),
  /** The month has not ended. */
  isRunning: z.boolean(),
  /** Alerts raised in this time of which people were notified. All figures below are about these. */
  total: z.int(),
  /** The same of the month before; null when the plant has none. */
  totalBefore: z.int().nullable(),
  /** Alerts that were raised while they were silenced; in no other figure. */
  suppressed: z.int(),
  /** Alerts an hour of the time counted: one operator, day and night. */
  perHour: z.number(),
  /** Periods of 10 minutes from the beginning of the month, the last one possibly shorter. */
  periods: z.int(),
  /** Of these, those with more than 10 alerts. */
  busyPeriods: z.int(),
  /** Seconds in flood. */
  floodSeconds: z.number(),
  /** Alerts of the ten most frequent rules together. */
  frequentTotal: z.int(),
  frequent: z.array(FrequentRule).max(mostFrequentRules),
  /** Rules that chattered. */
  chatteringRules: z.int(),
  fleeting: z.int(),
  stale: z.int(),
  /** Alerts of P1, P2 and P3. */
  priorities: z.array(z.int()).length(3),
  /** Median seconds until a person confirmed, of those confirmed; null without any. */
  confirmSeconds: z.number().nullable(),
  /** The same of P1. */
  confirmSecondsP1: z.number().nullable(),
  floodTotal: z.int(),
  /** The first ones. */
  floods: z.array(Flood).max(mostFloodsListed),
  /** Each day of the month until now. */
  days: z.array(DayOfAlerts),
});
export type AlertReport = z.output<typeof AlertReport>;

const month = z
  .string()
  .regex(/^[12]\d{3}-(0[1-9]|1[0-2])$/, "Enter the month as 2026-10")
  .optional();

/** How well the alarm system did in a month. */
export const alertReports = {
  read: get("/api/alarm/report", {
    access: "alarms.read",
    summary:
      "Figures of a month's alerts beside the targets of ISA-18.2 and EEMUA 191, of the whole plant; without `month`, of the last one that has ended",
    query: z.object({ month }),
    result: AlertReport,
  }),
  pdf: getFile("/api/alarm/report/pdf", {
    access: "alarms.read",
    summary: "The same as PDF",
    file: "application/pdf",
    query: z.object({ month }),
  }),
};
