import { AlertType } from "@telltale/contract/domains/alerts";
import { ReadingStatus } from "@telltale/contract/domains/channels";

/** A rule as used for evaluation. `setpoint` and `hysteresis` are in the channel's engineering unit; durations are milliseconds of device time. */
export interface Rule {
  /** Identifies the rule and what it watches; at most one alert per key is open. */
  key: string;
  alarmClass: number;
  alarmType: number;
  /** The custom alarm, null for a device's own limits. */
  alarmId: number | null;
  setpoint: number;
  /** How far a value must return past the setpoint before the condition has ended; 0 or more. */
  hysteresis: number;
  /** How long the condition must hold before it counts as an occurrence. */
  onDelay: number;
  /** How long it must be gone before the alert clears. */
  offDelay: number;
  /** The alert is raised by this many occurrences within `window`. */
  times: number;
  window: number;
}

/** A rule's timing when nothing is said: raised by the first reading beyond, cleared by the first one back. */
export const atOnce = { onDelay: 0, offDelay: 0, times: 1, window: 0 } as const;

export interface Reading {
  /** Device time, epoch milliseconds. */
  ts: number;
  value: number;
  status: number;
}

/** State of a rule after a reading or a tick. */
export interface RuleState {
  /** Whether its alert is open. */
  isOpen: boolean;
  /** Whether the condition holds by the newest reading, hysteresis considered. */
  holds: boolean;
  /** Device time since which it holds, or has been gone; epoch milliseconds. */
  since: number;
  /** Whether the present occurrence was counted: it has held for the delay. */
  isCounted: boolean;
  /** Times at which occurrences were counted that have not raised an alert yet, oldest first. */
  counted: readonly number[];
  /** The most extreme value since the alert was raised; NaN while none is open. */
  peak: number;
}

/** The state of a rule whose condition does not hold. */
export const atRest: RuleState = {
  isOpen: false,
  holds: false,
  since: Number.NEGATIVE_INFINITY,
  isCounted: false,
  counted: [],
  peak: Number.NaN,
};

/** An alert that is raised or cleared, with its device time. */
export interface Transition {
  kind: "raise" | "clear";
  at: number;
  /** The value that was in force. */
  value: number;
}

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
export const holdsAfter = (rule: Rule, holds: boolean, { value, status }: Omit<Reading, "ts">): boolean =>
  holds ? status === ReadingStatus.noData || !isBack(rule, value) : isBeyond(rule, value);

/** The more extreme of the values by this rule: the highest of a High alarm, the lowest of a Low one. Levels have none, and keep the first. */
const moreExtreme = ({ alarmType }: Rule, peak: number, value: number): number => {
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

/** The device time at which the state changes unless a reading comes first; undefined when only a reading can change it. */
export const dueOf = (rule: Rule, { isOpen, holds, isCounted, since }: RuleState): number | undefined => {
  if (holds && !isOpen && !isCounted) return since + rule.onDelay;
  return !holds && isOpen ? since + rule.offDelay : undefined;
};

interface Step {
  state: RuleState;
  transitions: Transition[];
}

/** Lets device time pass, while the value stays in force: a delay may end. */
const pass = (rule: Rule, before: Step, until: number, value: number): Step => {
  const { state, transitions } = before;
  const at = dueOf(rule, state);
  if (at === undefined || at > until) return before;
  if (state.isOpen)
    return {
      state: { ...state, isOpen: false, since: at, peak: Number.NaN },
      transitions: [...transitions, { kind: "clear", at, value }],
    };
  const counted = [...state.counted.filter((each) => each > at - rule.window), at];
  if (counted.length < rule.times) return { state: { ...state, isCounted: true, counted }, transitions };
  return {
    state: { ...state, isOpen: true, isCounted: true, counted: [], peak: value },
    transitions: [...transitions, { kind: "raise", at, value }],
  };
};

/** Forgets occurrences that are too old to count with one after this time. */
const recent = ({ window }: Rule, state: RuleState, at: number): RuleState =>
  state.counted.some((each) => each <= at - window)
    ? { ...state, counted: state.counted.filter((each) => each > at - window) }
    : state;

const unchanged: readonly Transition[] = [];

/**
 * Evaluates one reading by one rule; returns the new state and the alerts raised or cleared, in order. `newest` is the reading before it: its value is
 * in force until this one. A late or repeated reading (device time not after the newest) changes nothing. The result does not depend on how readings
 * are divided into batches, nor on ticks in between, as long as these do not run ahead of readings to come.
 */
export const step = (
  rule: Rule,
  before: RuleState,
  newest: Pick<Reading, "ts" | "value">,
  reading: Reading,
): { state: RuleState; transitions: readonly Transition[] } => {
  if (reading.ts <= newest.ts) return { state: before, transitions: unchanged };
  // Nearly all readings: nothing is due, and the condition neither begins nor ends.
  const isQuiet = before === atRest && !isBeyond(rule, reading.value);
  if (isQuiet) return { state: before, transitions: unchanged };
  let now: Step = pass(rule, { state: before, transitions: [] }, reading.ts, newest.value);
  const holds = holdsAfter(rule, now.state.holds, reading);
  if (holds !== now.state.holds) {
    // A timer may have ended an alert later than this reading; after a wrong clock was set right, times before do not count.
    const since = Number.isFinite(newest.ts) ? Math.max(reading.ts, now.state.since) : reading.ts;
    now = { ...now, state: { ...now.state, holds, since, isCounted: false } };
  }
  now = pass(rule, now, reading.ts, reading.value);
  now = { ...now, state: recent(rule, now.state, reading.ts) };
  const { state } = now;
  if (!state.isOpen || reading.status === ReadingStatus.noData) return now;
  const peak = Number.isNaN(state.peak) ? reading.value : moreExtreme(rule, state.peak, reading.value);
  return peak === state.peak ? now : { ...now, state: { ...state, peak } };
};

/** Evaluates the passing of time without a reading: `until` is the device's time now. */
export const tick = (
  rule: Rule,
  before: RuleState,
  newest: Pick<Reading, "value">,
  until: number,
): { state: RuleState; transitions: readonly Transition[] } =>
  pass(rule, { state: before, transitions: [] }, until, newest.value);

/**
 * Whether the state must be kept besides the open alert: a condition that waits for its delay or its end, occurrences that are counted, and the end of
 * an alert after the newest reading's time.
 */
export const mustKeep = ({ isOpen, holds, since, counted }: RuleState, newestTs: number): boolean =>
  isOpen !== holds || counted.length > 0 || (!holds && since > newestTs);
