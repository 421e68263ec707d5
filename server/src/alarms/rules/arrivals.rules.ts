import { atRest, type Rule, type RuleState, type Transition } from "../evaluate.ts";

/**
 * Rules about missing data are judged by the server's time of arrival: a rule waits since the channel's last arrival. That nothing has come for the
 * window is proven by the device, which was heard after that time: a device that is silent itself says nothing about its channels.
 */

/** After the device was heard again, its channels get this time to send, milliseconds; at most the window. */
const grace = 60_000;

interface Outcome {
  state: RuleState;
  transitions: readonly Transition[];
}

const none: readonly Transition[] = [];

/** The state of a rule that waits for data; `since` is when it began to, by the server's clock. */
export const waiting = (since: number, { gate }: Pick<RuleState, "gate"> = atRest): RuleState => ({
  ...atRest,
  holds: true,
  since,
  gate,
});

/** A reading has arrived at `now`, of whatever time: what is open ends, and the rule waits anew. The same state where nothing has to be kept. */
export const arrive = (before: RuleState, now: number): Outcome => {
  if (before.isOpen)
    return {
      state: waiting(now, before),
      transitions: [{ kind: "clear", at: now, value: 0, status: 0 }],
    };
  const isWaiting = before.holds && !before.isCounted;
  return { state: isWaiting ? before : waiting(now, before), transitions: none };
};

/** How long the time to send is, and how much later than is kept a late reading may have arrived. */
const graceOf = ({ window }: Rule): number => Math.min(grace, window);

/**
 * A late reading has arrived at `now`. Nothing else tells of it but the memory of the node that it came to: what is kept follows it, at most once in the
 * grace period, so that no other node, nor this one after loading the device again, raises the alert while such readings come.
 */
export const arriveLate = (rule: Rule, before: RuleState, now: number): Outcome => {
  const outcome = arrive(before, now);
  const isRecent = outcome.state !== before || now - before.since < graceOf(rule);
  return isRecent ? outcome : { state: waiting(now, before), transitions: none };
};

/** The rule's gate has opened or shut at `now`, by the server's clock: it waits anew, and no longer when it is shut, which also ends what is open. */
export const turnArrivals = (before: RuleState, isOpen: boolean, now: number): Outcome => {
  if (before.gate?.isOpen === isOpen) return { state: before, transitions: none };
  const gate = { isOpen, since: now, isMet: false };
  return {
    state: { ...waiting(now, { gate }), holds: isOpen },
    transitions: before.isOpen ? [{ kind: "clear", at: now, value: 0, status: 0 }] : none,
  };
};

/** Times by the server's clock, epoch milliseconds. */
export interface Silence {
  /** When the channel's last reading arrived. */
  arrived: number;
  /** When the device was heard last, with whatever message. */
  heard: number;
  now: number;
}

/** When the rule's gate had been open for the start-up time. */
const startOf = ({ gate: rule }: Rule, { gate }: RuleState): number =>
  rule && gate ? gate.since + rule.startUp : Number.NEGATIVE_INFINITY;

/**
 * Time has passed: raises the alert when nothing has come for the window, and the device was heard after it, and again had time to send. Returns also
 * when to look again; undefined while the alert is open.
 */
export const miss = (
  rule: Rule,
  before: RuleState,
  { arrived, heard, now }: Silence,
): Outcome & { due: number | undefined } => {
  if (before.isOpen) return { state: before, transitions: none, due: undefined };
  if (rule.gate && !before.gate?.isOpen)
    return { state: before.holds ? { ...before, holds: false } : before, transitions: none, due: undefined };
  const since = Math.max(arrived, before.since, startOf(rule, before));
  const at = since + rule.window;
  const wait = graceOf(rule);
  const fresh = before.isCounted || !before.holds ? waiting(before.since, before) : before;
  if (now < at) return { state: fresh, transitions: none, due: at };
  if (heard < at) return { state: fresh, transitions: none, due: now + wait };
  if (!before.isCounted)
    return { state: { ...before, holds: true, isCounted: true }, transitions: none, due: now + wait };
  return {
    state: { ...atRest, isOpen: true, holds: true, isCounted: true, gate: before.gate },
    transitions: [{ kind: "raise", at, value: 0, status: 0 }],
    due: undefined,
  };
};
