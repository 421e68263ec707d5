/** A plan, as far as its times go; minutes. */
export interface Ladder {
  steps: readonly { after: number }[];
  /** Null: it ends with its last step. */
  repeat: { every: number; times: number } | null;
}

/** One notification of a plan: the step, the round it belongs to, and its time in minutes after the alert. */
export interface Turn {
  after: number;
  step: number;
  round: number;
}

/**
 * All turns of a plan in order. A round after the first consists of the steps after the first, or of a single step itself, at their distances, and
 * begins `every` minutes after the round before has ended.
 */
export const turnsOf = ({ steps, repeat }: Ladder): Turn[] => {
  const turns = steps.map(({ after }, step) => ({ after, step, round: 0 }));
  if (!repeat) return turns;
  const first = steps.length > 1 ? 1 : 0;
  const begin = steps[first]?.after ?? 0;
  const length = (steps.at(-1)?.after ?? 0) - begin;
  let end = begin + length;
  for (let round = 1; round <= repeat.times; round++) {
    const start = end + repeat.every;
    for (const [at, { after }] of steps.slice(first).entries())
      turns.push({ after: start + after - begin, step: first + at, round });
    end = start + length;
  }
  return turns;
};

const minute = 60_000;

/** What an alert's plan asks for now. */
export interface Progress {
  /** The turn whose people are notified; undefined when none is due. */
  turn: Turn | undefined;
  /** The position after it. */
  position: number;
  /** When the next one is due, epoch milliseconds; undefined when there is none. */
  due: number | undefined;
}

/**
 * The turn that is due at `now`, from the turn at `position` on. After a stop several may be due: only the last of them is notified, as each step is
 * an escalation of those before it. Times are epoch milliseconds; `started` is when the plan began.
 */
export const progressAt = (turns: readonly Turn[], position: number, started: number, now: number): Progress => {
  const dueOf = ({ after }: Turn): number => started + after * minute;
  const next = turns.findIndex((turn, at) => at >= position && dueOf(turn) > now);
  const end = next === -1 ? turns.length : next;
  const following = turns[end];
  return {
    turn: end > position ? turns[end - 1] : undefined,
    position: Math.max(end, position),
    due: following && dueOf(following),
  };
};
