import type { TimeSlice } from "../platform/time-slice.ts";
import type { Block, Run } from "./block.ts";

/** A channel's newest reading; times are epoch milliseconds. */
export interface Newest {
  ts: number;
  value: number;
  status: number;
  /** Server time of its commit. */
  received: number;
}

/** All readings of a channel in several blocks, by time and value, equal ones once. */
export interface MergedChannel {
  deviceId: number;
  channelId: number;
  times: Float64Array;
  values: Float64Array;
  statuses: Uint8Array;
  newest: Newest;
}

/** The least and the greatest of these numbers. */
export const extentOf = (numbers: Float64Array): [least: number, greatest: number] => {
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const number of numbers) {
    if (number < least) least = number;
    if (number > greatest) greatest = number;
  }
  return [least, greatest];
};

/** Whether the readings ascend, so that none are equal. */
const isAscending = ({ times, values }: Run): boolean => {
  for (let at = 1; at < times.length; at++) {
    const step = (times[at] ?? 0) - (times[at - 1] ?? 0);
    if (step < 0 || (step === 0 && !((values[at] ?? 0) > (values[at - 1] ?? 0)))) return false;
  }
  return true;
};

/**
 * The readings of a run from `start` to before `end`. Most channels have one or two readings in a block: typed arrays that show them would cost more than
 * the readings.
 */
interface Part {
  of: Run;
  start: number;
  end: number;
}

const whole = (of: Run): Part => ({ of, start: 0, end: of.times.length });

const joinedParts = (parts: readonly Part[]): Run => {
  const length = parts.reduce((sum, { start, end }) => sum + end - start, 0);
  const [first] = parts;
  if (first && first.of.times.length === length && parts.length === 1) return first.of;
  const all = { times: new Float64Array(length), values: new Float64Array(length), statuses: new Uint8Array(length) };
  let next = 0;
  for (const { of, start, end } of parts)
    for (let at = start; at < end; at++) {
      all.times[next] = of.times[at] ?? 0;
      all.values[next] = of.values[at] ?? 0;
      all.statuses[next] = of.statuses[at] ?? 0;
      next += 1;
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

const copyReading = (from: Run, at: number, to: Run, toAt: number): void => {
  to.times[toAt] = from.times[at] ?? 0;
  to.values[toAt] = from.values[at] ?? 0;
  to.statuses[toAt] = from.statuses[at] ?? 0;
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

const blank = (length: number): Run => ({
  times: new Float64Array(length),
  values: new Float64Array(length),
  statuses: new Uint8Array(length),
});

/** Sorts by merging ascending pieces in pairs, as most come in few of them. Yields where it may be interrupted. */
function* sorting(parts: readonly Part[]): Generator<void, Run> {
  const all = joinedParts(parts);
  if (isAscending(all)) return all;
  // Blocks of different hours may come in any order; their readings have theirs.
  const inTurn = joinedParts(parts.toSorted((a, b) => (a.of.times[a.start] ?? 0) - (b.of.times[b.start] ?? 0)));
  if (isAscending(inTurn)) return inTurn;
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

const sortedParts = (parts: readonly Part[]): Run => {
  const steps = sorting(parts);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
};

/** Puts readings in the order of time and value and drops equal ones; of two, the first written stays. */
export const sorted = (runs: readonly Run[]): Run => sortedParts(runs.map(whole));

/** As `sorted`, in slices of time: there may be very many. */
export const sortedInSlices = async (runs: readonly Run[], slice: TimeSlice): Promise<Run> => {
  const steps = sorting(runs.map(whole));
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (slice.isUsedUp()) await slice.next();
  }
};

interface Found {
  deviceId: number;
  parts: Part[];
  newest: Newest;
}

const newestIn = (
  { of: { times, values, statuses }, start, end }: Part,
  { received, shown }: { received: number; shown: number },
  known: Newest | undefined,
): Newest => {
  let newest = known ?? { ts: Number.NEGATIVE_INFINITY, value: 0, status: 0, received };
  for (let at = start; at < end; at++) {
    const ts = times[at] ?? 0;
    // Of two values at one time the first written is the newest reading, as for the writer.
    if (ts > newest.ts)
      newest = { ts, value: values[at] ?? 0, status: shown > 0 ? shown - 1 : (statuses[at] ?? 0), received };
  }
  return newest;
};

/** Calls `take` for each channel of a block with its part of the readings. */
const eachPart = (block: Block, take: (channelId: number, part: Part, index: number) => void): void => {
  let start = 0;
  for (let index = 0; index < block.channelIds.length; index++) {
    const end = start + (block.counts[index] ?? 0);
    take(block.channelIds[index] ?? 0, { of: block, start, end }, index);
    start = end;
  }
};

/** Calls `take` for each channel of a block with its readings. */
export const eachRun = (block: Block, take: (channelId: number, run: Run) => void): void =>
  eachPart(block, (channelId, { start, end }) => {
    const [times, values] = [block.times.subarray(start, end), block.values.subarray(start, end)];
    take(channelId, { times, values, statuses: block.statuses.subarray(start, end) });
  });

/** The newest readings by channel in blocks in the order of their commits. */
export const newestOf = (blocks: Iterable<{ block: Block; received: number }>): ReadonlyMap<number, Newest> => {
  const found = new Map<number, Newest>();
  for (const { block, received } of blocks)
    eachPart(block, (channelId, part, index) => {
      const circumstances = { received, shown: block.shown[index] ?? 0 };
      found.set(channelId, newestIn(part, circumstances, found.get(channelId)));
    });
  return found;
};

/** The readings of each channel of some blocks, in the order of time and value, equal ones once. */
export const runsOf = (blocks: readonly Block[]): Map<number, Run> => {
  const parts = new Map<number, Part[]>();
  for (const block of blocks)
    eachPart(block, (channelId, part) => {
      const known = parts.get(channelId);
      if (known) known.push(part);
      else parts.set(channelId, [part]);
    });
  return new Map(Array.from(parts, ([channelId, own]) => [channelId, sortedParts(own)] as const));
};

/** Readings of every channel from blocks that are added in the order of their commits. */
export interface Gathering {
  add(block: Block, received: number): void;
  /** Puts a channel's readings in order at each step. */
  channels(): Iterable<MergedChannel>;
}

export const createGathering = (): Gathering => {
  const found = new Map<number, Found>();
  return {
    add: (block, received) =>
      eachPart(block, (channelId, part, index) => {
        const known = found.get(channelId);
        const newest = newestIn(part, { received, shown: block.shown[index] ?? 0 }, known?.newest);
        if (known) {
          known.parts.push(part);
          known.newest = newest;
        } else found.set(channelId, { deviceId: block.deviceIds[index] ?? 0, parts: [part], newest });
      }),
    channels: function* () {
      for (const [channelId, { deviceId, parts, newest }] of found)
        yield { channelId, deviceId, newest, ...sortedParts(parts) };
    },
  };
};

/** The readings of several blocks as one, of these devices or of all; each channel's in the order of the blocks. Undefined when there are none. */
export const gathered = (blocks: readonly Block[], deviceIds?: ReadonlySet<number>): Block | undefined => {
  const found = new Map<number, { deviceId: number; parts: Part[] }>();
  for (const block of blocks)
    eachPart(block, (channelId, part, index) => {
      const deviceId = block.deviceIds[index] ?? 0;
      if (deviceIds && !deviceIds.has(deviceId)) return;
      const known = found.get(channelId);
      if (known) known.parts.push(part);
      else found.set(channelId, { deviceId, parts: [part] });
    });
  if (found.size === 0) return undefined;
  const channels = [...found.values()];
  return {
    deviceIds: channels.map(({ deviceId }) => deviceId),
    channelIds: [...found.keys()],
    counts: channels.map(({ parts }) => parts.reduce((sum, { start, end }) => sum + end - start, 0)),
    ...joinedParts(channels.flatMap(({ parts }) => parts)),
    shown: new Uint8Array(found.size),
  };
};
