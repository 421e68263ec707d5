import type { TimeSlice } from "../../platform/time-slice.ts";
import type { Block, Run } from "../block.ts";
import { eachChannel, type Newest, noNewest, noteNewest } from "../gather.ts";
import { blank, copyReadings, isAscending, type Part, sortedPartsInSlices } from "../order.ts";

/** A channel's readings: those of `of` from `start` to before `end`, by time and value, equal ones once. */
export interface MergedChannel extends Part {
  deviceId: number;
  channelId: number;
  newest: Newest;
}

/** A channel while blocks are added, and then while its readings are laid one behind the other, the next one at `next`. */
interface Found {
  deviceId: number;
  channelId: number;
  newest: Newest;
  count: number;
  next: number;
}

/** Readings of every channel from blocks that are added in the order of their commits. */
export interface Gathering {
  add(block: Block, received: number): void;
  /** The channels with all their readings. Call once. */
  merged(slice: TimeSlice): Promise<MergedChannel[]>;
}

/** Puts the readings of a part in order within it; the end is less if some are equal. */
const order = async (part: Part, slice: TimeSlice): Promise<Part> => {
  const { of, start } = part;
  if (isAscending(part)) return part;
  const { times, values, statuses } = await sortedPartsInSlices([part], slice);
  of.times.set(times, start);
  of.values.set(values, start);
  of.statuses.set(statuses, start);
  return { of, start, end: start + times.length };
};

/**
 * All readings are copied once into three columns, channel by channel, after their counts are known. Arrays for each channel of each block would be hundreds
 * of thousands, and cost several times what their readings do.
 */
export const createGathering = (): Gathering => {
  const found = new Map<number, Found>();
  /** With the channel of each of its columns. */
  const blocks: { block: Block; channels: Found[] }[] = [];
  const layOut = async (slice: TimeSlice): Promise<Run> => {
    let readings = 0;
    for (const channel of found.values()) {
      channel.next = readings;
      readings += channel.count;
    }
    const all = blank(readings);
    for (const { block, channels } of blocks) {
      eachChannel(block, (_channelId, start, end, index) => {
        const channel = channels[index];
        if (!channel) return;
        copyReadings(block, start, end, all, channel.next);
        channel.next += end - start;
      });
      if (slice.isUsedUp()) await slice.next();
    }
    return all;
  };
  return {
    add: (block, received) => {
      const channels: Found[] = [];
      eachChannel(block, (channelId, start, end, index) => {
        const deviceId = block.deviceIds[index] ?? 0;
        const known = found.get(channelId);
        const channel = known ?? { deviceId, channelId, newest: noNewest(), count: 0, next: 0 };
        if (!known) found.set(channelId, channel);
        noteNewest(channel.newest, block, { start, end, index }, received);
        channel.count += end - start;
        channels.push(channel);
      });
      blocks.push({ block, channels });
    },
    merged: async (slice) => {
      const all = await layOut(slice);
      const merged: MergedChannel[] = [];
      for (const { deviceId, channelId, newest, count, next } of found.values()) {
        const part = await order({ of: all, start: next - count, end: next }, slice);
        merged.push({ deviceId, channelId, newest, ...part });
        if (slice.isUsedUp()) await slice.next();
      }
      return merged;
    },
  };
};
