import { AlarmCondition, isOverTime } from "@telltale/contract/domains/alerting/conditions";
import { ReadingStatus } from "@telltale/contract/domains/channels";
import {
  atRest,
  dueOf,
  hasEndedAfter,
  isStanding,
  isUntouched,
  mustKeep,
  type Reading,
  type Rule,
  type RuleState,
  setBack,
  step,
  tick,
  turn,
} from "../../alarms/evaluate.ts";
import { isOfReadings } from "../../alarms/index.ts";
import { arrive, arriveLate, turnArrivals, waiting } from "../../alarms/rules/arrivals.rules.ts";
import { isGateOpen } from "../../alarms/rules/limit.rules.ts";
import { alarmsAt, endOfPeriod, isAmong } from "../devices/alarm-settings.ts";
import type { AlarmSettings, ChannelState, KnownChannel } from "../devices/known-device.ts";
import type { EvaluatedBatch, RaisedByReading } from "./evaluated-batch.ts";

/** A channel whose rules are evaluated. */
export interface Evaluated {
  channel: KnownChannel;
  before: ChannelState;
  /** The settings of the reading's time. */
  evaluatedBy: AlarmSettings;
  /** Server time, epoch milliseconds. */
  now: number;
}

export interface Outcome extends ReturnType<typeof step> {
  /** Server time at which time alone may change the state, where the rule itself tells. */
  due?: number | undefined;
}

const untouched = (state: RuleState): Outcome => ({ state, transitions: [] });

/** Whether the rule is about missing data. */
export const isOfArrivals = ({ condition }: Rule): boolean => condition === AlarmCondition.noData;

/** Whether an alert of the channel is open. */
export const isAlarming = (rules: ReadonlyMap<string, RuleState>): boolean => {
  for (const { isOpen } of rules.values()) if (isOpen) return true;
  return false;
};

/** The alert of this rule that this batch has raised and not cleared. */
const ownOf = (batch: EvaluatedBatch, key: string): RaisedByReading | undefined =>
  batch.raised.findLast((alert) => alert.rule.key === key && alert.clearedTs === null);

const clear = (batch: EvaluatedBatch, channel: KnownChannel, key: string, ts: number): void => {
  const own = ownOf(batch, key);
  if (own) own.clearedTs = ts;
  else batch.cleared.push({ key, ts, channel });
};

const note = (
  batch: EvaluatedBatch,
  { channel, evaluatedBy }: Evaluated,
  rule: Rule,
  { state, transitions }: Outcome,
): void => {
  for (const { kind, at: ts, value, status } of transitions) {
    if (kind === "clear") clear(batch, channel, rule.key, ts);
    else batch.raised.push({ rule, channel, evaluatedBy, value, status, peak: value, ts, clearedTs: null });
  }
  if (!state.isOpen) return;
  const own = ownOf(batch, rule.key);
  if (own) own.peak = state.peak;
};

/** Notes what is to be kept of a state that has changed; `newestTs` is the device time of the newest reading after the change. */
export const keep = (
  batch: EvaluatedBatch,
  { channel, before, now }: Evaluated,
  rule: Rule,
  was: RuleState,
  { state: is, due: known }: Outcome,
  newestTs: number,
): void => {
  if (mustKeep(is, newestTs)) {
    const at = known === undefined ? dueOf(rule, is) : undefined;
    // The device's clock goes on from its newest reading, and that has just arrived, or did so before.
    const arrived = newestTs === before.ts ? before.received : now;
    const due = at === undefined ? known : arrived + (at - newestTs);
    batch.phases.set(rule.key, { rule, channelId: channel.channelId, state: is, due });
    return;
  }
  const wasKept = was.isOpen ? mustKeep(was, before.ts) : was !== atRest;
  if (wasKept || batch.phases.has(rule.key)) batch.phases.set(rule.key, undefined);
};

/**
 * Whether a state is of a time after this reading, which the device has kept from before the present limits: where these are others, the save has settled
 * it, by a newest reading that had arrived before.
 */
const isOfLater = ({ channel, before, evaluatedBy }: Evaluated, { since }: RuleState, ts: number): boolean =>
  evaluatedBy !== channel && Number.isFinite(before.ts) && since > ts;

/** Open alerts and waiting rules that no longer exist: they end at the reading after the rule was removed. */
const removeOrphans = (batch: EvaluatedBatch, subject: Evaluated, ts: number): Map<string, RuleState> | undefined => {
  const { channel, before, evaluatedBy } = subject;
  let states: Map<string, RuleState> | undefined;
  for (const [key, state] of before.rules) {
    if (!isOfReadings(key) || evaluatedBy.rules.some((rule) => rule.key === key)) continue;
    if (hasEndedAfter(state, before.ts) || isOfLater(subject, state, ts)) continue;
    states ??= new Map(before.rules);
    states.delete(key);
    if (state.isOpen) batch.cleared.push({ key, ts, channel });
    batch.phases.set(key, undefined);
  }
  return states;
};

/** Evaluates the rules by `evaluate`; returns the states that are not at rest, the same map where nothing has changed. */
export const evaluated = (
  batch: EvaluatedBatch,
  subject: Evaluated,
  newestTs: number,
  evaluate: (rule: Rule, state: RuleState) => Outcome,
  orphaned?: Map<string, RuleState>,
): ReadonlyMap<string, RuleState> => {
  const { before, evaluatedBy } = subject;
  let states = orphaned;
  for (const rule of evaluatedBy.rules) {
    const was = before.rules.get(rule.key) ?? atRest;
    const outcome = evaluate(rule, was);
    const { state: is } = outcome;
    if (is === was) continue;
    states ??= new Map(before.rules);
    const isResting = !is.isOpen && !mustKeep(is, newestTs);
    if (isResting) states.delete(rule.key);
    else states.set(rule.key, is);
    note(batch, subject, rule, outcome);
    if (is.isOpen && was.isOpen && is.peak !== was.peak && !ownOf(batch, rule.key)) batch.peaks.set(rule.key, is.peak);
    keep(batch, subject, rule, was, outcome, newestTs);
  }
  return states ?? before.rules;
};

/**
 * Whether nothing can change by a reading, as for nearly all: all rules are at rest, or have an alert that goes on as before, and stay so. Conditions that
 * remember readings are never sure.
 */
export const isQuiet = (
  { rules, ts }: Pick<ChannelState, "rules" | "ts">,
  evaluatedBy: Pick<AlarmSettings, "rules">,
  reading: Omit<Reading, "ts">,
): boolean => {
  // A clock was set back: what has begun by it in the future begins now.
  if (rules.size > 0 && !Number.isFinite(ts)) return false;
  let left = rules.size;
  for (const rule of evaluatedBy.rules) {
    const state = left > 0 ? rules.get(rule.key) : undefined;
    if (state) left--;
    if (state ? !isStanding(rule, state, reading) : !isUntouched(rule, reading.value)) return false;
  }
  // Any other is of a rule that no longer exists.
  return left === 0;
};

/** A reading has arrived for a rule about missing data; `isLate`: it is not the newest. */
const arrived = (rule: Rule, state: RuleState, now: number, isLate = false): Outcome => {
  const outcome = isLate ? arriveLate(rule, state, now) : arrive(state, now);
  return outcome.state === state ? outcome : { ...outcome, due: now + rule.window };
};

/** A state in which nothing waits. */
const settled = (state: RuleState): RuleState => {
  if (state.isOpen === state.holds) return state;
  return state.isOpen ? { ...state, holds: true, isCounted: true } : { ...atRest, gate: state.gate };
};

/**
 * The states of a channel's rules at a reading. Where the newest one was kept from before its limits changed, what waits by the earlier limits is
 * judged by them until their period's end, and begins anew by the present ones. Of what had arrived before the change, the save has done that.
 */
const statesAt = (batch: EvaluatedBatch, subject: Evaluated, ts: number): ReadonlyMap<string, RuleState> => {
  const { channel, before, evaluatedBy } = subject;
  const { rules, ts: newest, received } = before;
  if (rules.size === 0 || received < channel.evaluatedFrom || !Number.isFinite(newest)) return rules;
  const earlier = alarmsAt(channel, newest, received);
  if (earlier === evaluatedBy) return rules;
  // One that may be live is evaluated by the present ones although it is of the time before.
  const end = Math.min(endOfPeriod(channel, newest), ts);
  return evaluated(batch, { ...subject, evaluatedBy: earlier }, newest, (rule, state) => {
    if (isAmong(evaluatedBy.rules, rule) || state.since >= end) return untouched(state);
    const { state: is, transitions } = tick(rule, state, before, end);
    return { state: settled(is), transitions };
  });
};

/** What a reading, newer than the newest, makes of a rule that is judged by readings. */
const stepBy = (subject: Evaluated, rule: Rule, state: RuleState, newest: Reading, reading: Reading): Outcome => {
  const { channel, before, evaluatedBy } = subject;
  const { ts } = reading;
  if (isOfLater(subject, state, ts) && !isAmong(channel.rules, rule)) return untouched(state);
  // The device's clock was ahead, or is slow and has not come to the save at which this began.
  const { evaluatedFrom } = channel;
  const isBefore = evaluatedBy === channel && ts < evaluatedFrom && state.since >= evaluatedFrom;
  const begun = isBefore || !Number.isFinite(before.ts) ? setBack(state, ts) : state;
  const outcome = step(rule, begun, newest, reading);
  const { state: is } = outcome;
  // What was kept of an alert's end is over when a reading has come after it.
  return is === atRest || is.isOpen || mustKeep(is, ts) ? outcome : { ...outcome, state: atRest };
};

/** Evaluates a reading, newer than the newest, by all rules of its channel; returns their states. */
export const evaluateRules = (
  batch: EvaluatedBatch,
  subject: Evaluated,
  reading: Reading,
): ReadonlyMap<string, RuleState> => {
  const rules = statesAt(batch, subject, reading.ts);
  const present = rules === subject.before.rules ? subject : { ...subject, before: { ...subject.before, rules } };
  const { before, now, channel } = present;
  // A value scaled by earlier settings is no measure for this one.
  const newest = before.ts >= channel.scaledFrom ? before : { ...before, status: ReadingStatus.noData };
  return evaluated(
    batch,
    present,
    reading.ts,
    (rule, state) => (isOfArrivals(rule) ? arrived(rule, state, now) : stepBy(present, rule, state, newest, reading)),
    before.rules.size > 0 ? removeOrphans(batch, present, reading.ts) : undefined,
  );
};

const isDelayed = ({ onDelay, offDelay }: Rule): boolean => onDelay > 0 || offDelay > 0;

/** The device's time now: its clock goes on from its newest reading. */
export const deviceTime = ({ ts, received }: Pick<ChannelState, "ts" | "received">, now: number): number =>
  ts + Math.max(0, now - received);

/**
 * Evaluates the newest reading anew by changed limits, as of now. Conditions that look at more than one reading go on as they are. Delays run by the
 * device's clock, as those do that its readings begin.
 */
export const evaluateLimits = (batch: EvaluatedBatch, subject: Evaluated): ReadonlyMap<string, RuleState> => {
  const { before: newest, now } = subject;
  const evaluateAt = (ts: number, rules: ChannelState["rules"], isMeant: (rule: Rule) => boolean) => {
    // It is not compared with itself as the reading before.
    const before = { ...newest, ts: Number.NEGATIVE_INFINITY, rules };
    const anew = { ...subject, before };
    return evaluated(
      batch,
      anew,
      newest.ts,
      (rule, state) => {
        if (!isMeant(rule) || isOverTime(rule.condition)) return untouched(state);
        const outcome = step(rule, state, before, { ...newest, ts });
        const at = dueOf(rule, outcome.state);
        return { ...outcome, due: at === undefined ? undefined : now + (at - ts) };
      },
      rules.size > 0 ? removeOrphans(batch, anew, ts) : undefined,
    );
  };
  const rules = evaluateAt(now, newest.rules, (rule) => !isDelayed(rule));
  return evaluateAt(deviceTime(newest, now), rules, isDelayed);
};

/** A late reading has arrived: it is evaluated by rules about missing data only. */
export const evaluateArrival = (batch: EvaluatedBatch, subject: Evaluated): ReadonlyMap<string, RuleState> =>
  evaluated(batch, subject, subject.before.ts, (rule, state) =>
    isOfArrivals(rule) ? arrived(rule, state, subject.now, true) : untouched(state),
  );

/** The device is heard again: rules about missing data wait anew. */
export const evaluateReturn = (batch: EvaluatedBatch, subject: Evaluated): ReadonlyMap<string, RuleState> =>
  evaluated(batch, subject, subject.before.ts, (rule, state) =>
    isOfArrivals(rule) && !state.isOpen
      ? { ...untouched(waiting(subject.now, state)), due: subject.now + rule.window }
      : untouched(state),
  );

/** A reading of another channel of the family has arrived: rules whose gate that is turn with it. */
export const evaluateGate = (
  batch: EvaluatedBatch,
  subject: Evaluated,
  { channelId, ts, value }: { channelId: number; ts: number; value: number },
): ReadonlyMap<string, RuleState> =>
  evaluated(batch, subject, subject.before.ts, (rule, state) => {
    if (rule.gate?.channelId !== channelId) return untouched(state);
    const isOpen = isGateOpen(rule.gate, value);
    if (!isOfArrivals(rule)) return turn(rule, state, subject.before, { ts, isOpen });
    const due = isOpen ? subject.now + rule.gate.startUp + rule.window : undefined;
    return { ...turnArrivals(state, isOpen, subject.now), due };
  });
