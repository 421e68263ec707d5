import { z } from "zod";
import { post } from "../../call/call.ts";
import * as wire from "../../call/wire.ts";
import { alarmFields, demanding } from "../alarms.ts";

/** Most days that an alert can be tried on. */
export const mostTrialDays = 30;
/** Delays, in seconds, that a trial compares with the rule's own. */
export const comparedDelays = [10, 60, 300] as const;
/** Most occurrences that a trial lists. */
export const mostOccurrences = 500;

/** An alert that would have been raised; `to` is null while it would stand now. */
const Occurrence = z.object({ from: wire.time(), to: wire.time().nullable() });

/** The newest ones, oldest first. */
const occurrences = z.array(Occurrence).max(mostOccurrences);

/** What a custom alert would have raised on the channel's stored readings. */
export const AlarmTrial = z.object({
  total: z.int(),
  /** Alerts of each day, oldest first, as days of 24 hours that end now. */
  perDay: z.array(z.int()),
  inAlarmSeconds: z.number(),
  longestSeconds: z.number(),
  /** Alerts that would have stood for less than a minute. */
  underAMinute: z.int(),
  occurrences,
  /** What it would have been with another delay before the alert is raised. */
  withDelay: z.array(z.object({ seconds: z.int(), total: z.int(), occurrences })),
  /** Readings that were evaluated: those under the channel's present scale. */
  readings: z.int(),
});
export type AlarmTrial = z.output<typeof AlarmTrial>;

/** Trying an alert before it is saved. */
export const alarmTrial = {
  try: post("/api/alarm/try", {
    access: "alarms.write",
    summary: "What a custom alert would have raised in the last days; nothing is written",
    body: demanding(
      z.object({
        ...alarmFields,
        days: wire.intBetween(1, mostTrialDays, `An alert is tried on 1 to ${mostTrialDays} days`),
      }),
      // Whom it would notify does not change what it raises.
      "notifyUserIds",
    ),
    result: AlarmTrial,
  }),
};
