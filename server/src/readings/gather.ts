import type { Block, ChannelRun, Run } from "./block.ts";

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

/** The readings of several runs, one run after the other. */
export const joined = (runs: readonly Run[]): Run => {
  const [only] = runs;
  if (only && runs.length === 1) return only;
  const length = runs.reduce((sum, { times }) => sum + times.length, 0);
  const all = { times: new Float64Array(length), values: new Float64Array(length), statuses: new Uint8Array(length) };
  let at = 0;
  for (const { times, values, statuses } of runs) {
    all.times.set(times, at);
    all.values.set(values, at);
    all.statuses.set(statuses, at);
    at += times.length;
  }
  return all;
};

/** Puts readings in the order of time and value and drops equal ones; of two, the first written stays. */
export const sorted = (runs: readonly Run[]): Run => {
  const all = joined(runs);
  if (isAscending(all)) return all;
  // Blocks of different hours may come in any order; their readings have theirs.
  const inTurn = joined(runs.toSorted((a, b) => (a.times[0] ?? 0) - (b.times[0] ?? 0)));
  if (isAscending(inTurn)) return inTurn;
  const { times, values, statuses } = all;
  const order = Array.from(times.keys()).sort(
    (a, b) => (times[a] ?? 0) - (times[b] ?? 0) || (values[a] ?? 0) - (values[b] ?? 0) || a - b,
  );
  const kept = order.filter((at, place) => {
    const before = order[place - 1] ?? -1;
    return place === 0 || times[at] !== times[before] || values[at] !== values[before];
  });
  return {
    times: Float64Array.from(kept, (at) => times[at] ?? 0),
    values: Float64Array.from(kept, (at) => values[at] ?? 0),
    statuses: Uint8Array.from(kept, (at) => statuses[at] ?? 0),
  };
};

interface Found {
  deviceId: number;
  runs: Run[];
  newest: Newest;
}

const newestIn = (
  { times, values, statuses }: Run,
  { received, shown }: { received: number; shown: number },
  known: Newest | undefined,
): Newest => {
  let newest = known ?? { ts: Number.NEGATIVE_INFINITY, value: 0, status: 0, received };
  for (let at = 0; at < times.length; at++) {
    const ts = times[at] ?? 0;
    // Of two values at one time the first written is the newest reading, as for the writer.
    if (ts > newest.ts)
      newest = { ts, value: values[at] ?? 0, status: shown > 0 ? shown - 1 : (statuses[at] ?? 0), received };
  }
  return newest;
};

/** Calls `take` for each channel of a block with its readings. */
export const eachRun = (block: Block, take: (channelId: number, run: Run, index: number) => void): void => {
  const { times, values, statuses } = block;
  let start = 0;
  for (let index = 0; index < block.channelIds.length; index++) {
    const end = start + (block.counts[index] ?? 0);
    take(
      block.channelIds[index] ?? 0,
      {
        times: times.subarray(start, end),
        values: values.subarray(start, end),
        statuses: statuses.subarray(start, end),
      },
      index,
    );
    start = end;
  }
};

/** The newest readings by channel in blocks' runs in the order of their commits. */
export const newestOf = (runs: Iterable<ChannelRun & { received: number }>): ReadonlyMap<number, Newest> => {
  const found = new Map<number, Newest>();
  for (const { channelId, run, ...circumstances } of runs)
    found.set(channelId, newestIn(run, circumstances, found.get(channelId)));
  return found;
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
      eachRun(block, (channelId, run, index) => {
        const known = found.get(channelId);
        const newest = newestIn(run, { received, shown: block.shown[index] ?? 0 }, known?.newest);
        if (known) {
          known.runs.push(run);
          known.newest = newest;
        } else found.set(channelId, { deviceId: block.deviceIds[index] ?? 0, runs: [run], newest });
      }),
    channels: function* () {
      for (const [channelId, { deviceId, runs, newest }] of found)
        yield { channelId, deviceId, newest, ...sorted(runs) };
    },
  };
};
