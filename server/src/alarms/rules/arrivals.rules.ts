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
export const waiting = (since: number): RuleState => ({ ...atRest, holds: true, since });

/** A reading has arrived at `now`, of whatever time: what is open ends, and the rule waits anew. The same state where nothing has to be kept. */
export const arrive = (before: RuleState, now: number): Outcome => {
  if (before.isOpen)
    return {
      state: waiting(now),
      transitions: [{ kind: "clear", at: now, value: 0, status: 0 }],
    };
  const isWaiting = before.holds && !before.isCounted;
  return { state: isWaiting ? before : waiting(now), transitions: none };
};

/** Times by the server's clock, epoch milliseconds. */
export interface Silence {
  /** When the channel's last reading arrived. */
  arrived: number;
  /** When the device was heard last, with whatever message. */
  heard: number;
  now: number;
}

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
  const since = Math.max(arrived, before.since);
  const at = since + rule.window;
  const wait = Math.min(grace, rule.window);
  const fresh = before.isCounted || !before.holds ? waiting(before.since) : before;
  if (now < at) return { state: fresh, transitions: none, due: at };
  if (heard < at) return { state: fresh, transitions: none, due: now + wait };
  if (!before.isCounted)
    return { state: { ...before, holds: true, isCounted: true }, transitions: none, due: now + wait };
  return {
    state: { ...atRest, isOpen: true, holds: true, isCounted: true },
    transitions: [{ kind: "raise", at, value: 0, status: 0 }],
    due: undefined,
  };
};
