import { ReadingStatus } from "@telltale/contract/domains/channels";

/** Readings in columns, in the order of time and value. Times are epoch milliseconds. */
export interface Columns {
  times: Float64Array;
  values: Float64Array;
  statuses: Uint8Array;
}

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
