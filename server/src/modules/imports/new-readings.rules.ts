import { ReadingStatus } from "@telltale/contract/domains/channels";
import { type Limits, refusalOfReading } from "@telltale/contract/domains/readings/past-readings";
import { type Run, sorted } from "../../readings/index.ts";

/** Readings in columns, in the order of time and value. Times are epoch milliseconds. */
export interface Columns {
  times: Float64Array;
  values: Float64Array;
  statuses: Uint8Array;
}

/** A portion as it was sent, all statuses good where it names none. */
interface Sent {
  times: readonly number[];
  values: readonly number[];
  statuses?: readonly number[] | undefined;
}

/** The readings of a portion from `start` to before `end` that can be stored, in order; notes the places of the others by their reasons. */
export const storableOf = (
  { times, values, statuses }: Sent,
  { start, end }: { start: number; end: number },
  limits: Limits,
  refused: Map<string, number[]>,
): Run => {
  const kept: number[] = [];
  const statusAt = (at: number): number => statuses?.[at] ?? ReadingStatus.good;
  for (let at = start; at < end; at++) {
    const reason = refusalOfReading(times[at] ?? 0, values[at] ?? 0, statusAt(at), limits);
    const others = reason === undefined ? kept : refused.get(reason);
    if (others) others.push(at);
    else if (reason !== undefined) refused.set(reason, [at]);
  }
  const run = {
    times: Float64Array.from(kept, (at) => times[at] ?? 0),
    values: Float64Array.from(kept, (at) => values[at] ?? 0),
    statuses: Uint8Array.from(kept, statusAt),
  };
  return sorted([run]);
};

/** The readings of a run that are not in another one; both are in the order of time and value, without equal ones. */
export const withoutKnown = ({ times, values, statuses }: Columns, known: Columns | undefined): Columns => {
  if (!known) return { times, values, statuses };
  const kept: number[] = [];
  let at = 0;
  for (let index = 0; index < times.length; index++) {
    const [time = 0, value = 0] = [times[index], values[index]];
    while (
      at < known.times.length &&
      ((known.times[at] ?? 0) < time || (known.times[at] === time && (known.values[at] ?? 0) < value))
    )
      at += 1;
    if (known.times[at] !== time || known.values[at] !== value) kept.push(index);
  }
  if (kept.length === times.length) return { times, values, statuses };
  return {
    times: Float64Array.from(kept, (index) => times[index] ?? 0),
    values: Float64Array.from(kept, (index) => values[index] ?? 0),
    statuses: Uint8Array.from(kept, (index) => statuses[index] ?? 0),
  };
};

/**
 * The status plus 1 with which the newest of these readings is shown while none is newer, as in a `Block`: one in alarm elsewhere has no alert here, and
 * is shown as good.
 */
export const shownOf = ({ statuses }: Columns): number =>
  statuses.at(-1) === ReadingStatus.alarm ? ReadingStatus.good + 1 : 0;
