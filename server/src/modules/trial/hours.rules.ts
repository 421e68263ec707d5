import { AlarmCondition } from "@telltale/contract/domains/alerting/conditions";
import { AlertType } from "@telltale/contract/domains/alerts";
import { isUntouched, type Reading, type Rule } from "../../alarms/evaluate.ts";
import type { HoursOfRange } from "../../telemetry/index.ts";
import type { Trial } from "./evaluation.rules.ts";

/** Most hours that are read at once while an alert is open in hours that might have been skipped. */
const mostAtOnce = 24;

/** Limits that lie between what is allowed and what is not: extremes that are allowed say that all values between them are. */
const ordered: readonly number[] = [AlertType.high, AlertType.low];

/** Whether readings between these values leave a rule at rest as it is. Conditions that remember readings are asked each time. */
const isCalm = (rule: Rule, { min, max }: { min: number; max: number }): boolean =>
  rule.condition === AlarmCondition.limit &&
  ordered.includes(rule.alarmType) &&
  isUntouched(rule, min) &&
  isUntouched(rule, max);

/** An hour with readings. */
interface TrialHour {
  hour: number;
  /** The number of its readings, when they leave the rule at rest as it is; undefined where they must be read. */
  calm: number | undefined;
}

/** The hours that a rule is tried on, in their order. */
export const hoursFor = (rule: Rule, { summarised, others }: HoursOfRange): TrialHour[] =>
  [
    ...summarised.map((each) => ({ hour: each.hour, calm: isCalm(rule, each) ? each.count : undefined })),
    ...others.map((hour) => ({ hour, calm: undefined })),
  ].sort((a, b) => a.hour - b.hour);

/**
 * Tries a rule on these hours. Those whose extremes cannot matter are only counted, as long as the rule is at rest when they begin. `read` yields the
 * readings of the hours from the first to the last.
 */
export const tryHours = async (
  trial: Trial,
  hours: readonly TrialHour[],
  read: (first: number, last: number) => AsyncIterable<readonly Reading[]>,
): Promise<void> => {
  let least = 1;
  for (let at = 0; at < hours.length; ) {
    const { hour, calm } = hours[at] ?? { hour: 0, calm: 0 };
    if (calm !== undefined && trial.isAtRest()) {
      trial.skip(calm);
      least = 1;
      at += 1;
      continue;
    }
    let end = at + 1;
    while (end < hours.length && (end - at < least || hours[end]?.calm === undefined)) end += 1;
    for await (const readings of read(hour, hours[end - 1]?.hour ?? hour))
      for (const reading of readings) trial.read(reading);
    // An alert that stays open, or pending, for long is followed in ever longer parts.
    least = Math.min(mostAtOnce, least * 2);
    at = end;
  }
};
