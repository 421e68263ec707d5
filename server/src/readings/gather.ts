import type { Block, Run } from "./block.ts";
import { joinedParts, type Part, sortedParts } from "./order.ts";

/** A channel's newest reading; times are epoch milliseconds. */
export interface Newest {
  ts: number;
  value: number;
  status: number;
  /** Server time of its commit. */
  received: number;
}

/** Of a channel without readings. */
export const noNewest = (): Newest => ({ ts: Number.NEGATIVE_INFINITY, value: 0, status: 0, received: 0 });

/**
 * Brings `newest` up to date with a block's readings from `start` to before `end`, those of its channel at `index`. It is changed in place: a merge looks at
 * each of thousands of channels once for every commit.
 */
export const noteNewest = (
  newest: Newest,
  { times, values, statuses, shown }: Block,
  { start, end, index }: { start: number; end: number; index: number },
  received: number,
): void => {
  for (let at = start; at < end; at++) {
    const ts = times[at] ?? 0;
    // Of two values at one time the first written is the newest reading, as for the writer.
    if (ts <= newest.ts) continue;
    const shownAs = shown[index] ?? 0;
    newest.ts = ts;
    newest.value = values[at] ?? 0;
    newest.status = shownAs > 0 ? shownAs - 1 : (statuses[at] ?? 0);
    newest.received = received;
  }
};

/** Calls `take` for each channel of a block: its readings are those from `start` to before `end`. */
export const eachChannel = (
  block: Block,
  take: (channelId: number, start: number, end: number, index: number) => void,
): void => {
  let start = 0;
  for (let index = 0; index < block.channelIds.length; index++) {
    const end = start + (block.counts[index] ?? 0);
    take(block.channelIds[index] ?? 0, start, end, index);
    start = end;
  }
};

/** Calls `take` for each channel of a block with its readings. */
export const eachRun = (block: Block, take: (channelId: number, run: Run) => void): void =>
  eachChannel(block, (channelId, start, end) => {
    const [times, values] = [block.times.subarray(start, end), block.values.subarray(start, end)];
    take(channelId, { times, values, statuses: block.statuses.subarray(start, end) });
  });

/** The newest readings by channel in blocks in the order of their commits. */
export const newestOf = (blocks: Iterable<{ block: Block; received: number }>): ReadonlyMap<number, Newest> => {
  const found = new Map<number, Newest>();
  for (const { block, received } of blocks)
    eachChannel(block, (channelId, start, end, index) => {
      const newest = found.get(channelId) ?? noNewest();
      noteNewest(newest, block, { start, end, index }, received);
      found.set(channelId, newest);
    });
  return found;
};

/** The readings of each channel of some blocks, in the order of time and value, equal ones once. */
export const runsOf = (blocks: readonly Block[]): Map<number, Run> => {
  const parts = new Map<number, Part[]>();
  for (const block of blocks)
    eachChannel(block, (channelId, start, end) => {
      const part = { of: block, start, end };
      const known = parts.get(channelId);
      if (known) known.push(part);
      else parts.set(channelId, [part]);
    });
  return new Map(Array.from(parts, ([channelId, own]) => [channelId, sortedParts(own)] as const));
};

/** The readings of several blocks as one, of these devices or of all; each channel's in the order of the blocks. Undefined when there are none. */
export const gathered = (blocks: readonly Block[], deviceIds?: ReadonlySet<number>): Block | undefined => {
  const found = new Map<number, { deviceId: number; parts: Part[] }>();
  for (const block of blocks)
    eachChannel(block, (channelId, start, end, index) => {
      const deviceId = block.deviceIds[index] ?? 0;
      if (deviceIds && !deviceIds.has(deviceId)) return;
      const part = { of: block, start, end };
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
