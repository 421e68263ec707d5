import { AlarmCondition } from "@telltale/contract/domains/alerting/conditions";
import { ReadingStatus } from "@telltale/contract/domains/channels";
import { type Memory, observe } from "./rules/conditions.rules.ts";
import { armsAt, type GateState, isArmed, shut } from "./rules/gate.rules.ts";
import { holdsAfter, isBeyond, moreExtreme, type Reading, type Rule } from "./rules/limit.rules.ts";

export type { Reading, Rule };

/** What a rule is when nothing is said: a limit that is raised by the first reading beyond, and cleared by the first one back. */
export const atOnce = {
  condition: AlarmCondition.limit,
  leavesFaults: false,
  onDelay: 0,
  offDelay: 0,
  times: 1,
  window: 0,
  gate: null,
} as const;

/** State of a rule after a reading or a tick. */
export interface RuleState {
  /** Whether its alert is open. */
  isOpen: boolean;
  /** Whether the condition holds by the newest reading, hysteresis considered, and counts: the rule's gate is open. */
  holds: boolean;
  /** Device time since which it holds, or has been gone; epoch milliseconds. */
  since: number;
  /** Whether the present occurrence was counted: it has held for the delay. */
  isCounted: boolean;
  /** Times at which occurrences were counted that have not raised an alert yet, oldest first. */
  counted: readonly number[];
  /** The most extreme value since the alert was raised; NaN while none is open. */
  peak: number;
  /** What the condition remembers of earlier readings; null for a limit. */
  memory: Memory | null;
  /** Of a rule with a gate; null while nothing is known of it: it is shut. */
  gate: GateState | null;
}

/** The state of a rule whose condition does not hold. */
export const atRest: RuleState = {
  isOpen: false,
  holds: false,
  since: Number.NEGATIVE_INFINITY,
  isCounted: false,
  counted: [],
  peak: Number.NaN,
  memory: null,
  gate: null,
};

/** An alert that is raised or cleared, with its device time. */
export interface Transition {
  kind: "raise" | "clear";
  at: number;
  /** The value that was in force; of a rate, the rate when the condition began. */
  value: number;
  /** Its status. */
  status: number;
}

/** Whether a reading leaves a rule at rest, as nearly all do. Conditions that remember readings are asked each time. */
export const isUntouched = (rule: Rule, value: number): boolean =>
  rule.condition === AlarmCondition.limit && !isBeyond(rule, value);

/** Whether a reading leaves a rule with an open alert as it is, as nearly all do while it stands: the limit is still exceeded, and no more than before. */
export const isStanding = (rule: Rule, { isOpen, holds, counted, peak }: RuleState, reading: InForce): boolean =>
  isOpen &&
  holds &&
  rule.condition === AlarmCondition.limit &&
  rule.gate === null &&
  counted.length === 0 &&
  reading.status !== ReadingStatus.noData &&
  holdsAfter(rule, true, reading) &&
  moreExtreme(rule, peak, reading.value) === peak;

/** The device time at which a delay ends. */
const delayEnd = (rule: Rule, { isOpen, holds, isCounted, since }: RuleState): number | undefined => {
  if (holds && !isOpen && !isCounted) return since + rule.onDelay;
  return !holds && isOpen ? since + rule.offDelay : undefined;
};

/** The device time at which the state changes unless a reading comes first; undefined when only a reading can change it. */
export const dueOf = (rule: Rule, state: RuleState): number | undefined => {
  const [delay, start] = [delayEnd(rule, state), armsAt(rule, state)];
  return delay !== undefined && start !== undefined ? Math.min(delay, start) : (delay ?? start);
};

interface Step {
  state: RuleState;
  transitions: Transition[];
}

/** What is in force until the next reading. */
type InForce = Omit<Reading, "ts">;

/** The end of a delay at this time: the alert is raised or cleared, or the occurrence counted. */
const endDelay = (rule: Rule, { state, transitions }: Step, at: number, { value, status }: InForce): Step => {
  if (state.isOpen)
    return {
      state: { ...state, isOpen: false, since: at, peak: Number.NaN },
      transitions: [...transitions, { kind: "clear", at, value, status }],
    };
  const counted = [...state.counted.filter((each) => each > at - rule.window), at];
  if (counted.length < rule.times) return { state: { ...state, isCounted: true, counted }, transitions };
  return {
    state: { ...state, isOpen: true, isCounted: true, counted: [], peak: value },
    transitions: [...transitions, { kind: "raise", at, value, status }],
  };
};

/** The gate has been open for the start-up time: the condition counts from then on. */
const arm = ({ state, transitions }: Step, at: number): Step => ({
  state: { ...state, holds: true, since: Math.max(at, state.since), isCounted: false },
  transitions,
});

/**
 * Lets device time pass, while the value stays in force: delays and start-up times may end. `isReading`: the value is that of the time `until`;
 * otherwise a reading of that time may follow, and what a gate lets in just then has not held yet.
 */
const pass = (rule: Rule, before: Step, until: number, inForce: InForce, isReading: boolean): Step => {
  let now = before;
  for (;;) {
    const { state } = now;
    const at = dueOf(rule, state);
    if (at === undefined || at > until) return now;
    const isDelay = delayEnd(rule, state) === at;
    if (!isDelay && at === until && !isReading) return now;
    now = isDelay ? endDelay(rule, now, at, inForce) : arm(now, at);
  }
};

/** Forgets occurrences that are too old to count with one after this time. */
const recent = ({ window }: Rule, state: RuleState, at: number): RuleState =>
  state.counted.some((each) => each <= at - window)
    ? { ...state, counted: state.counted.filter((each) => each > at - window) }
    : state;

const unchanged: readonly Transition[] = [];

/** What was in force before a reading: of a rate, the rate at which the condition began. */
const inForceBefore = (rule: Rule, { memory }: RuleState, newest: InForce): InForce =>
  rule.condition === AlarmCondition.rate ? { value: memory?.began ?? newest.value, status: newest.status } : newest;

/** Conditions whose entries have a value and a most extreme one. */
export const isMeasured = ({ condition }: Pick<Rule, "condition">): boolean =>
  condition === AlarmCondition.limit || condition === AlarmCondition.rate;

/** Adopts whether the condition is met from a reading on; it holds then unless a gate is shut. */
const withMet = (rule: Rule, before: Step, isMet: boolean, newest: Reading, reading: Reading): Step => {
  const { gate } = before.state;
  if (!rule.gate) return withHolds(before, isMet, newest, reading);
  const known = gate ?? shut;
  const now = known.isMet === isMet ? before : { ...before, state: { ...before.state, gate: { ...known, isMet } } };
  return withHolds(now, isMet && isArmed(rule, now.state, reading.ts), newest, reading);
};

const withHolds = (before: Step, holds: boolean, newest: Reading, reading: Reading): Step => {
  const { state } = before;
  if (holds === state.holds) return before;
  // A timer may have ended an alert later than this reading; after a wrong clock was set right, times before do not count.
  const since = Number.isFinite(newest.ts) ? Math.max(reading.ts, state.since) : reading.ts;
  return { ...before, state: { ...state, holds, since, isCounted: false } };
};

/** Notes the most extreme value of an open alert. */
const withPeak = (rule: Rule, now: Step, value: number, status: number): Step => {
  const { state } = now;
  if (!state.isOpen || status === ReadingStatus.noData || !isMeasured(rule)) return now;
  const peak = Number.isNaN(state.peak) ? value : moreExtreme(rule, state.peak, value);
  return peak === state.peak ? now : { ...now, state: { ...state, peak } };
};

/**
 * Evaluates one reading by one rule; returns the new state and the alerts raised or cleared, in order. `newest` is the reading before it: its value is
 * in force until this one. A late or repeated reading (device time not after the newest) changes nothing. The result does not depend on how readings
 * are divided into batches, nor on ticks in between, as long as these do not run ahead of readings to come. Not for rules about missing data: see
 * `arrive`.
 */
export const step = (
  rule: Rule,
  before: RuleState,
  newest: Reading,
  reading: Reading,
): { state: RuleState; transitions: readonly Transition[] } => {
  if (reading.ts <= newest.ts) return { state: before, transitions: unchanged };
  // Nearly all readings: nothing is due, and the condition neither begins nor ends.
  if (before === atRest && isUntouched(rule, reading.value)) return { state: before, transitions: unchanged };
  const inForce = inForceBefore(rule, before, newest);
  let now: Step = pass(rule, { state: before, transitions: [] }, reading.ts, inForce, false);
  const { state } = now;
  const isMet = rule.gate ? (state.gate ?? shut).isMet : state.holds;
  const { memory, value, holds } = observe(rule, { holds: isMet, memory: state.memory }, newest, reading);
  if (memory !== state.memory) now = { ...now, state: { ...state, memory } };
  now = withMet(rule, now, holds, newest, reading);
  now = pass(rule, now, reading.ts, { value, status: reading.status }, true);
  now = { ...now, state: recent(rule, now.state, reading.ts) };
  return withPeak(rule, now, value, reading.status);
};

/**
 * The state at a reading whose time is before what it tells, because the clock by which that began is not the device's any more: it begins with the reading, or
 * its delay would not end before the device's clock comes there. Occurrences that were counted later are none.
 */
export const setBack = (state: RuleState, ts: number): RuleState => {
  const { since, counted } = state;
  if (since <= ts && counted.every((at) => at <= ts)) return state;
  return { ...state, since: Math.min(since, ts), counted: counted.filter((at) => at <= ts) };
};

/** Evaluates the passing of time without a reading: `until` is the device's time now. Not for rules about missing data: see `miss`. */
export const tick = (
  rule: Rule,
  before: RuleState,
  newest: InForce,
  until: number,
): { state: RuleState; transitions: readonly Transition[] } =>
  pass(rule, { state: before, transitions: [] }, until, inForceBefore(rule, before, newest), false);

/**
 * Evaluates that the rule's gate opened or shut at a device time, by its channel's reading. An alert is not raised by a value that is older than the
 * gate's reading until time has passed: the next reading may have the same time. Not for rules about missing data: see `turnArrivals`.
 */
export const turn = (
  rule: Rule,
  before: RuleState,
  newest: InForce,
  { ts, isOpen }: { ts: number; isOpen: boolean },
): { state: RuleState; transitions: readonly Transition[] } => {
  const known = before.gate ?? shut;
  // A gate's reading before the one that opened it: its clock was set back.
  if (isOpen === known.isOpen && ts >= known.since) return { state: before, transitions: unchanged };
  const { state, transitions } = pass(
    rule,
    { state: before, transitions: [] },
    ts,
    inForceBefore(rule, before, newest),
    false,
  );
  const now = { ...state, gate: { ...(state.gate ?? shut), isOpen, since: ts } };
  if (isOpen || !state.holds) return { state: now, transitions };
  const ended = { ...now, holds: false, since: Math.max(ts, state.since), isCounted: false };
  return pass(rule, { state: ended, transitions }, ts, newest, false);
};

/** Whether all that the state tells is that an alert has ended after the newest reading's time, by a timer or a save: it is not raised again before that. */
export const hasEndedAfter = ({ isOpen, holds, since }: RuleState, newestTs: number): boolean =>
  !isOpen && !holds && since > newestTs;

/**
 * Whether the state must be kept besides the open alert: a condition that waits for its delay or its end, occurrences that are counted, the end of
 * an alert after the newest reading's time, what the condition remembers, and the gate.
 */
export const mustKeep = (state: RuleState, newestTs: number): boolean =>
  state.isOpen !== state.holds ||
  state.counted.length > 0 ||
  state.memory !== null ||
  state.gate !== null ||
  hasEndedAfter(state, newestTs);
