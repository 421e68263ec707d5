import { ReadingStatus } from "@telltale/contract/domains/channels";
import type { Rule } from "../../alarms/evaluate.ts";
import { isGateOpen } from "../../alarms/rules/limit.rules.ts";
import type { Marking } from "../../readings/index.ts";
import { readingsInOrder } from "../../telemetry/index.ts";

/** A rule's gate opened or shut. */
export interface GateTurn {
  ts: number;
  isOpen: boolean;
}

/** How long before a trial begins its gate's readings are looked at, milliseconds: what it was at the beginning. */
const lead = 86_400_000;

/** When the gate of a rule opened and shut, oldest first, from before `from` until `now`; none for a rule without a gate. */
const gateTurns = async (
  needs: Marking,
  { gate }: Rule,
  { from, now, pace }: { from: number; now: number; pace: () => Promise<void> },
): Promise<GateTurn[]> => {
  const turns: GateTurn[] = [];
  if (!gate) return turns;
  for await (const readings of readingsInOrder(needs, [gate.channelId], from - lead, now)) {
    for (const { ts, value, status } of readings) {
      const isOpen = isGateOpen(gate, value);
      if (status !== ReadingStatus.noData && isOpen !== (turns.at(-1)?.isOpen ?? false)) turns.push({ ts, isOpen });
    }
    await pace();
  }
  return turns;
};

/** Returns a function that passes the turns of the rule's gate up to a time to `onTurn`, each once. */
export const followGate = async (
  needs: Marking,
  rule: Rule,
  tried: Parameters<typeof gateTurns>[2],
  onTurn: (turn: GateTurn) => void,
): Promise<(ts: number) => void> => {
  const turns = await gateTurns(needs, rule, tried);
  let at = 0;
  return (ts) => {
    for (let next = turns[at]; next && next.ts <= ts; next = turns[++at]) onTurn(next);
  };
};
