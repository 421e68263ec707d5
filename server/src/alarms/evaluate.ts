import { AlertType } from "@telltale/contract/domains/alerts";
import { ReadingStatus } from "@telltale/contract/domains/channels";

/** A rule as used for evaluation. `setpoint` and `hysteresis` are in the channel's engineering unit. */
export interface Rule {
  /** Identifies the rule and what it watches; at most one alert per key is open. */
  key: string;
  alarmClass: number;
  alarmType: number;
  /** The custom alarm, null for a device's own limits. */
  alarmId: number | null;
  setpoint: number;
  /** How far a value must return past the setpoint before the alert clears; 0 or more. */
  hysteresis: number;
}

export interface Reading {
  /** Device time, epoch milliseconds. */
  ts: number;
  value: number;
  status: number;
}

/** State of a rule: whether its alert is open, and the newest device time evaluated. */
export interface RuleState {
  isOpen: boolean;
  ts: number;
}

export type Transition = "raise" | "clear";

/** Whether the value is in the alarm range. */
const isBeyond = (rule: Rule, value: number): boolean => {
  switch (rule.alarmType) {
    case AlertType.high:
    case AlertType.counting:
      return value >= rule.setpoint;
    case AlertType.low:
      return value <= rule.setpoint;
    default:
      return value === rule.setpoint;
  }
};

/** The more extreme of the values by this rule: the highest of a High alarm, the lowest of a Low one. Levels have none, and keep the first. */
export const moreExtreme = ({ alarmType }: Pick<Rule, "alarmType">, peak: number, value: number): number => {
  switch (alarmType) {
    case AlertType.high:
    case AlertType.counting:
      return Math.max(peak, value);
    case AlertType.low:
      return Math.min(peak, value);
    default:
      return peak;
  }
};

/** Whether the value has returned far enough to clear an open alert. Levels (DI, DO) have no hysteresis. */
const isBack = (rule: Rule, value: number): boolean => {
  switch (rule.alarmType) {
    case AlertType.high:
    case AlertType.counting:
      return value < rule.setpoint - rule.hysteresis;
    case AlertType.low:
      return value > rule.setpoint + rule.hysteresis;
    default:
      return value !== rule.setpoint;
  }
};

/**
 * Evaluates one reading by one rule; returns the new state, and whether an alert is raised or cleared. A late or repeated reading (device time not
 * after the newest) changes nothing. A reading outside the sensor's range (no data) may raise, so that a sensor driven beyond its end still alarms,
 * but never clears.
 */
export const evaluate = (
  rule: Rule,
  state: RuleState,
  reading: Reading,
): { state: RuleState; transition?: Transition } => {
  if (reading.ts <= state.ts) return { state };
  if (!state.isOpen && isBeyond(rule, reading.value))
    return { state: { isOpen: true, ts: reading.ts }, transition: "raise" };
  const mayClear = reading.status !== ReadingStatus.noData;
  if (state.isOpen && mayClear && isBack(rule, reading.value))
    return { state: { isOpen: false, ts: reading.ts }, transition: "clear" };
  return { state: { isOpen: state.isOpen, ts: reading.ts } };
};
