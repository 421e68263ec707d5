import type { TimeSlice } from "../platform/time-slice.ts";
import type { Run } from "./block.ts";

/** The least and the greatest of these numbers. */
export const extentOf = (numbers: Float64Array): [least: number, greatest: number] => {
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const number of numbers) {
    if (number < least) least = number;
    if (number > greatest) greatest = number;
  }
  return [least, greatest];
};

/**
 * The readings of a run from `start` to before `end`. Most channels have one or two readings in a block: typed arrays that show them would cost more than
 * the readings.
 */
export interface Part {
  of: Run;
  start: number;
  end: number;
}

/** Whether the readings ascend, so that none are equal. */
export const isAscending = ({ of: { times, values }, start, end }: Part): boolean => {
  for (let at = start + 1; at < end; at++) {
    const step = (times[at] ?? 0) - (times[at - 1] ?? 0);
    if (step < 0 || (step === 0 && !((values[at] ?? 0) > (values[at - 1] ?? 0)))) return false;
  }
  return true;
};

const whole = (of: Run): Part => ({ of, start: 0, end: of.times.length });

/** Readings that are all to be written. */
export const blank = (length: number): Run => ({
  times: new Float64Array(length),
  values: new Float64Array(length),
  statuses: new Uint8Array(length),
});

const copyReading = (from: Run, at: number, to: Run, toAt: number): void => {
  to.times[toAt] = from.times[at] ?? 0;
  to.values[toAt] = from.values[at] ?? 0;
  to.statuses[toAt] = from.statuses[at] ?? 0;
};

/** Copies the readings from `start` to before `end`. */
export const copyReadings = (from: Run, start: number, end: number, to: Run, toAt: number): void => {
  for (let at = start; at < end; at++) copyReading(from, at, to, toAt + at - start);
};

/** The readings of several parts, one after the other; of a single whole run itself. */
export const joinedParts = (parts: readonly Part[]): Run => {
  const length = parts.reduce((sum, { start, end }) => sum + end - start, 0);
  const [first] = parts;
  if (first && first.of.times.length === length && parts.length === 1) return first.of;
  const all = blank(length);
  let next = 0;
  for (const { of, start, end } of parts) {
    copyReadings(of, start, end, all, next);
    next += end - start;
  }
  return all;
};

/** The readings of several runs, one run after the other. */
export const joined = (runs: readonly Run[]): Run => joinedParts(runs.map(whole));

/** Whether the first reading may stand before the second. */
const isBefore = ({ times, values }: Run, at: number, other: Run, otherAt: number): boolean => {
  const [time = 0, otherTime = 0] = [times[at], other.times[otherAt]];
  return time < otherTime || (time === otherTime && (values[at] ?? 0) <= (other.values[otherAt] ?? 0));
};

/** Where the readings descend, and so another ascending piece begins; the first piece is at 0. */
const beginningsOf = (run: Run): number[] => {
  const beginnings = [0];
  for (let at = 1; at < run.times.length; at++) if (!isBefore(run, at - 1, run, at)) beginnings.push(at);
  return beginnings;
};

/** Readings that are moved between two looks at the clock: a fraction of a millisecond. */
const atOnce = 10_000;

/** Two neighbouring ascending pieces that are merged. */
interface Merging {
  left: number;
  middle: number;
  right: number;
  end: number;
  to: number;
}

/** Merges some more readings of two pieces; of equal ones the left stays first. Returns whether all are. */
const mergeSome = (from: Run, into: Run, pieces: Merging): boolean => {
  const { middle, end } = pieces;
  let { left, right, to } = pieces;
  for (const last = Math.min(end, to + atOnce); to < last; to++)
    if (right >= end || (left < middle && isBefore(from, left, from, right))) copyReading(from, left++, into, to);
    else copyReading(from, right++, into, to);
  Object.assign(pieces, { left, right, to });
  return to >= end;
};

/**
 * The readings of an ordered run, equal ones once, with the gravest status (0 is alarm): the repeat of one that was in alarm is late, and not judged again.
 */
const withoutRepeated = (run: Run): Run => {
  let kept = 0;
  for (let at = 0; at < run.times.length; at++) {
    if (kept > 0 && run.times[at] === run.times[kept - 1] && run.values[at] === run.values[kept - 1]) {
      run.statuses[kept - 1] = Math.min(run.statuses[kept - 1] ?? 0, run.statuses[at] ?? 0);
      continue;
    }
    copyReading(run, at, run, kept);
    kept += 1;
  }
  const { times, values, statuses } = run;
  return { times: times.slice(0, kept), values: values.slice(0, kept), statuses: statuses.slice(0, kept) };
};

/** Sorts by merging ascending pieces in pairs, as most come in few of them. Yields where it may be interrupted. */
function* sorting(parts: readonly Part[]): Generator<void, Run> {
  const all = joinedParts(parts);
  if (isAscending(whole(all))) return all;
  // Blocks of different hours may come in any order; their readings have theirs.
  const inTurn = joinedParts(parts.toSorted((a, b) => (a.of.times[a.start] ?? 0) - (b.of.times[b.start] ?? 0)));
  if (isAscending(whole(inTurn))) return inTurn;
  const { length } = all.times;
  // `all` may be the caller's own.
  let [from, into] = [all, blank(length)];
  let beginnings = beginningsOf(from);
  for (let isFirst = true; isFirst || beginnings.length > 1; isFirst = false) {
    const merged: number[] = [];
    for (let at = 0; at < beginnings.length; at += 2) {
      const [left = 0, middle = length, end = length] = beginnings.slice(at, at + 3);
      merged.push(left);
      const pieces = { left, middle, right: middle, end, to: left };
      while (!mergeSome(from, into, pieces)) yield;
    }
    beginnings = merged;
    [from, into] = [into, from === all ? blank(length) : from];
  }
  return withoutRepeated(from);
}

export const sortedParts = (parts: readonly Part[]): Run => {
  const steps = sorting(parts);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
};

/** Puts readings in the order of time and value and drops equal ones; of two, the first written stays. */
export const sorted = (runs: readonly Run[]): Run => sortedParts(runs.map(whole));

/** As `sortedParts`, in slices of time: there may be very many readings. */
export const sortedPartsInSlices = async (parts: readonly Part[], slice: TimeSlice): Promise<Run> => {
  const steps = sorting(parts);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (slice.isUsedUp()) await slice.next();
  }
};

/** As `sorted`, in slices of time. */
export const sortedInSlices = (runs: readonly Run[], slice: TimeSlice): Promise<Run> =>
  sortedPartsInSlices(runs.map(whole), slice);
