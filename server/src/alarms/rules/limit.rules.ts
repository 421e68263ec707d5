import type { AlarmCondition } from "@telltale/contract/domains/alerting/conditions";
import { GateType } from "@telltale/contract/domains/alerting/gate";
import { AlertType } from "@telltale/contract/domains/alerts";
import { ReadingStatus } from "@telltale/contract/domains/channels";

/** What a rule depends on besides its own channel. */
export interface RuleGate {
  channelId: number;
  type: GateType;
  /** NaN for a contact. */
  value: number;
  /** How long the gate must have been open before the condition counts, milliseconds. */
  startUp: number;
}

/** A rule as used for evaluation. `setpoint` and `hysteresis` are in the channel's engineering unit; durations are milliseconds of device time. */
export interface Rule {
  /** Identifies the rule and what it watches; at most one alert per key is open. */
  key: string;
  alarmClass: number;
  alarmType: number;
  /** The custom alarm, null for a device's own limits. */
  alarmId: number | null;
  condition: AlarmCondition;
  /** Whether readings beyond the sensor's range are another rule's: they neither begin nor end the condition. */
  leavesFaults: boolean;
  /** Of a rate, its least change in a minute: negative where it falls. */
  setpoint: number;
  /** How far a value must return past the setpoint before the condition has ended; 0 or more. */
  hysteresis: number;
  /** How long the condition must hold before it counts as an occurrence. */
  onDelay: number;
  /** How long it must be gone before the alert clears. */
  offDelay: number;
  /** The alert is raised by this many occurrences within `window`. */
  times: number;
  /** Also the stretch of time that a rate, no change and no data are about. */
  window: number;
  /** The condition counts only while this is open; null: always. */
  gate: RuleGate | null;
}

export interface Reading {
  /** Device time, epoch milliseconds. */
  ts: number;
  value: number;
  status: number;
}

/** Whether the gate is open by its channel's value. */
export const isGateOpen = ({ type, value: bound }: RuleGate, value: number): boolean => {
  switch (type) {
    case GateType.on:
      return value === 1;
    case GateType.above:
      return value > bound;
    default:
      return value < bound;
  }
};

/** Whether the value is in the alarm range: it begins the condition. */
export const isBeyond = ({ alarmType, setpoint }: Rule, value: number): boolean => {
  switch (alarmType) {
    case AlertType.high:
    case AlertType.counting:
      return value >= setpoint;
    case AlertType.low:
      return value <= setpoint;
    default:
      return value === setpoint;
  }
};

/** Whether the value has returned far enough to end the condition. Levels (DI, DO) have no hysteresis. */
const isBack = ({ alarmType, setpoint, hysteresis }: Rule, value: number): boolean => {
  switch (alarmType) {
    case AlertType.high:
    case AlertType.counting:
      return value < setpoint - hysteresis;
    case AlertType.low:
      return value > setpoint + hysteresis;
    default:
      return value !== setpoint;
  }
};

/**
 * Whether the condition holds after a reading. A reading outside the sensor's range (no data) may begin it, so that a sensor driven beyond its end
 * still alarms, but never ends it.
 */
export const holdsAfter = (rule: Rule, holds: boolean, { value, status }: Omit<Reading, "ts">): boolean => {
  if (status === ReadingStatus.noData) return holds || (!rule.leavesFaults && isBeyond(rule, value));
  return holds ? !isBack(rule, value) : isBeyond(rule, value);
};

/** The more extreme of the values by this rule: the highest of a High alarm, the lowest of a Low one. Levels have none, and keep the first. */
export const moreExtreme = ({ alarmType }: Rule, peak: number, value: number): number => {
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
