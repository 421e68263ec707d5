import { ReadingStatus } from "@telltale/contract/domains/channels";
import { isGateOpen, type Reading, type Rule, type RuleGate } from "./limit.rules.ts";

/** What is known of a rule's gate. */
export interface GateState {
  isOpen: boolean;
  /** Since when, by the time of its channel's reading, epoch milliseconds. */
  since: number;
  /** Whether the rule's condition is met by its own channel, whatever the gate. */
  isMet: boolean;
}

/** A gate whose channel has sent nothing yet. */
export const shut: GateState = { isOpen: false, since: Number.NEGATIVE_INFINITY, isMet: false };

interface Gated {
  holds: boolean;
  gate: GateState | null;
}

/** The device time from which the condition counts, if the gate stays open. */
const armedFrom = ({ gate: rule }: Rule, gate: GateState | null): number =>
  rule && gate?.isOpen ? gate.since + rule.startUp : Number.POSITIVE_INFINITY;

/** Whether the rule's condition counts at a device time: its gate has been open for the start-up time. */
export const isArmed = (rule: Rule, { gate }: Pick<Gated, "gate">, ts: number): boolean => armedFrom(rule, gate) <= ts;

/** The device time at which a condition that is met begins to count; undefined when it does already, or will not by time alone. */
export const armsAt = (rule: Rule, { holds, gate }: Gated): number | undefined => {
  const at = gate?.isMet && !holds ? armedFrom(rule, gate) : Number.POSITIVE_INFINITY;
  return Number.isFinite(at) ? at : undefined;
};

/**
 * The state of a gate when its device is loaded: as kept, unless its channel's newest reading tells otherwise, which was not evaluated while the rule was
 * switched off. `isMet` is taken when nothing is kept.
 */
export const gateNow = (rule: RuleGate, kept: GateState | null, newest: Reading | null, isMet: boolean): GateState => {
  const known = kept ?? { ...shut, isMet };
  if (!newest || newest.status === ReadingStatus.noData || newest.ts < known.since) return known;
  const isOpen = isGateOpen(rule, newest.value);
  return isOpen === known.isOpen ? known : { ...known, isOpen, since: newest.ts };
};
