import {
  atRest,
  dueOf,
  isBeyond,
  mustKeep,
  type Reading,
  type Rule,
  type RuleState,
  step,
  tick,
} from "../../alarms/evaluate.ts";
import { isOfReadings } from "../../alarms/index.ts";
import type { AlarmSettings, ChannelState, KnownChannel } from "../devices/known-device.ts";
import type { EvaluatedBatch, RaisedByReading } from "./evaluated-batch.ts";

/** A channel whose rules are evaluated. */
interface Evaluated {
  channel: KnownChannel;
  before: ChannelState;
  /** The settings of the reading's time. */
  evaluatedBy: AlarmSettings;
  /** Server time, epoch milliseconds. */
  now: number;
}

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
  { state, transitions }: ReturnType<typeof step>,
): void => {
  for (const { kind, at: ts, value } of transitions) {
    if (kind === "clear") clear(batch, channel, rule.key, ts);
    else batch.raised.push({ rule, channel, evaluatedBy, value, peak: value, ts, clearedTs: null });
  }
  if (!state.isOpen) return;
  const own = ownOf(batch, rule.key);
  if (own) own.peak = state.peak;
};

/** Notes what is to be kept of a state that has changed; `newestTs` is the device time of the newest reading after the change. */
const keep = (
  batch: EvaluatedBatch,
  { channel, before, now }: Evaluated,
  rule: Rule,
  [was, is]: readonly [RuleState, RuleState],
  newestTs: number,
): void => {
  if (mustKeep(is, newestTs)) {
    const at = dueOf(rule, is);
    // The device's clock goes on from its newest reading, and that has just arrived, or did so before.
    const arrived = newestTs === before.ts ? before.received : now;
    const due = at === undefined ? undefined : arrived + (at - newestTs);
    batch.phases.set(rule.key, { rule, channelId: channel.channelId, state: is, due });
  } else if (mustKeep(was, before.ts) || batch.phases.has(rule.key)) batch.phases.set(rule.key, undefined);
};

/** Open alerts and waiting rules that no longer exist: they end at the reading after the rule was removed. */
const removeOrphans = (
  batch: EvaluatedBatch,
  { channel, before, evaluatedBy }: Evaluated,
  ts: number,
): Map<string, RuleState> | undefined => {
  let states: Map<string, RuleState> | undefined;
  for (const [key, { isOpen }] of before.rules) {
    if (!isOfReadings(key) || evaluatedBy.rules.some((rule) => rule.key === key)) continue;
    states ??= new Map(before.rules);
    states.delete(key);
    if (isOpen) batch.cleared.push({ key, ts, channel });
    batch.phases.set(key, undefined);
  }
  return states;
};

type Outcome = ReturnType<typeof step>;

/** Evaluates the rules by `evaluate`; returns the states that are not at rest, the same map where nothing has changed. */
const evaluated = (
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
    keep(batch, subject, rule, [was, is], newestTs);
  }
  return states ?? before.rules;
};

/** Whether nothing can change by a value, as for nearly all readings: all rules are at rest and stay so. */
export const isQuiet = (
  { rules }: Pick<ChannelState, "rules">,
  evaluatedBy: Pick<AlarmSettings, "rules">,
  value: number,
): boolean => {
  if (rules.size > 0) return false;
  for (const rule of evaluatedBy.rules) if (isBeyond(rule, value)) return false;
  return true;
};

/** Evaluates a reading, newer than the newest, by all rules of its channel; returns their states. */
export const evaluateRules = (
  batch: EvaluatedBatch,
  subject: Evaluated,
  reading: Reading,
): ReadonlyMap<string, RuleState> =>
  evaluated(
    batch,
    subject,
    reading.ts,
    (rule, state) => step(rule, state, subject.before, reading),
    subject.before.rules.size > 0 ? removeOrphans(batch, subject, reading.ts) : undefined,
  );

/** Lets time pass for the rules of a channel, without a reading; returns their states. Those that are not due yet get their time anew. */
export const evaluateDelays = (batch: EvaluatedBatch, subject: Evaluated): ReadonlyMap<string, RuleState> => {
  const { before, now, evaluatedBy } = subject;
  const until = before.ts + Math.max(0, now - before.received);
  const states = evaluated(batch, subject, before.ts, (rule, state) => tick(rule, state, before, until));
  for (const rule of evaluatedBy.rules) {
    const state = states.get(rule.key);
    if (state && state === before.rules.get(rule.key) && dueOf(rule, state) !== undefined)
      keep(batch, subject, rule, [state, state], before.ts);
  }
  return states;
};
