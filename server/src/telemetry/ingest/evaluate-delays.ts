import { atRest, dueOf, hasEndedAfter, type Rule, type RuleState, tick } from "../../alarms/evaluate.ts";
import { miss } from "../../alarms/rules/arrivals.rules.ts";
import type { ChannelState } from "../devices/known-device.ts";
import { deviceTime, type Evaluated, evaluated, isOfArrivals, keep, type Outcome } from "./evaluate-rules.ts";
import type { EvaluatedBatch } from "./evaluated-batch.ts";
import type { Tick } from "./submission.ts";

/** Rules that wait for something that will not come: they no longer exist, or the newest reading was of another scale. What is open stays. */
const removeForlorn = (
  batch: EvaluatedBatch,
  { channel, before, evaluatedBy }: Evaluated,
): Map<string, RuleState> | undefined => {
  const isComparable = Number.isFinite(before.ts) && before.ts >= channel.scaledFrom;
  const gone = [...before.rules].filter(([key, state]) => {
    const { isOpen, holds } = state;
    const rule = evaluatedBy.rules.find((each) => each.key === key);
    if (!rule) return !isOpen && !hasEndedAfter(state, before.ts);
    return !isComparable && !isOfArrivals(rule) && isOpen !== holds;
  });
  if (gone.length === 0) return undefined;
  const states = new Map(before.rules);
  for (const [key, state] of gone) {
    const gate = state.gate && { ...state.gate, isMet: state.isOpen };
    if (state.isOpen) states.set(key, { ...state, holds: true, isCounted: true, gate });
    else if (gate) states.set(key, { ...atRest, gate });
    else states.delete(key);
    batch.phases.set(key, undefined);
  }
  return states;
};

/** The state with times of arrival by the server's clock as it is now: where it was set since, time counts from then on. */
const withArrivals = ({ before, now }: Evaluated, { since, setAt }: Tick): ChannelState => {
  const { received, late } = before;
  const arrived = (at: number) => (at > now ? Math.min(since, now) : Math.max(at, setAt));
  return { ...before, received: arrived(received), late: arrived(late) };
};

/** Lets time pass for the rules of a channel, without a reading; returns their states. Those that are not due yet get their time anew. */
export const evaluateDelays = (
  batch: EvaluatedBatch,
  evaluation: Evaluated,
  look: Tick,
): ReadonlyMap<string, RuleState> => {
  const { heard, since } = look;
  const subject = { ...evaluation, before: withArrivals(evaluation, look) };
  const { before, now, evaluatedBy } = subject;
  const until = deviceTime(before, now);
  const last = Math.max(before.received, before.late);
  const silence = { arrived: Math.max(last, since), heard: Math.max(heard, last), now };
  const forlorn = removeForlorn(batch, subject);
  const pass = (rule: Rule, state: RuleState): Outcome =>
    isOfArrivals(rule) ? miss(rule, state, silence) : tick(rule, state, before, until);
  const left = forlorn ? { ...subject, before: { ...before, rules: forlorn } } : subject;
  const states = evaluated(batch, left, before.ts, pass);
  for (const rule of evaluatedBy.rules) {
    const state = states.get(rule.key);
    if (!state || state !== left.before.rules.get(rule.key)) continue;
    const outcome = pass(rule, state);
    if (outcome.due !== undefined || dueOf(rule, state) !== undefined)
      keep(batch, left, rule, state, { ...outcome, state }, before.ts);
  }
  return states;
};
