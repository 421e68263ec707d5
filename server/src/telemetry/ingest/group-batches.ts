import { type GroupBatch, groupOf } from "../../readings/index.ts";
import type { KnownChannel } from "../devices/known-device.ts";
import type { EvaluatedBatch } from "./evaluated-batch.ts";

interface GroupColumns {
  group: number;
  channels: KnownChannel[];
  readings: number;
}

/** Numbers the channels of a batch in order of appearance (`place`), counts their readings and divides them by device group. */
const divide = (channels: readonly KnownChannel[]): { groups: GroupColumns[]; counts: number[] } => {
  const groups = new Map<number, GroupColumns>();
  const counts: number[] = [];
  const add = (channel: KnownChannel): void => {
    channel.place = counts.push(0) - 1;
    const group = groupOf(channel.device.deviceId);
    const columns = groups.get(group);
    if (columns) columns.channels.push(channel);
    else groups.set(group, { group, channels: [channel], readings: 0 });
  };
  for (const channel of channels) {
    if (channel.place < 0) add(channel);
    counts[channel.place] = (counts[channel.place] ?? 0) + 1;
  }
  for (const columns of groups.values())
    columns.readings = columns.channels.reduce((sum, { place }) => sum + (counts[place] ?? 0), 0);
  return { groups: [...groups.values()], counts };
};

/** The readings of an evaluated batch in columns by device group and channel. */
export const groupBatches = (batch: EvaluatedBatch): GroupBatch[] => {
  const { groups, counts } = divide(batch.channels);
  /** Per place: the group's columns, and where the channel's next reading goes. */
  const blocks: GroupBatch["block"][] = [];
  const next: number[] = [];
  const batches = groups.map(({ group, channels, readings }) => {
    const block = {
      deviceIds: channels.map(({ device }) => device.deviceId),
      channelIds: channels.map(({ channelId }) => channelId),
      counts: channels.map(({ place }) => counts[place] ?? 0),
      times: new Float64Array(readings),
      values: new Float64Array(readings),
      statuses: new Uint8Array(readings),
      shown: new Uint8Array(channels.map(({ draft }) => (draft ? draft.status + 1 : 0))),
    };
    let start = 0;
    for (const { place } of channels) {
      blocks[place] = block;
      next[place] = start;
      start += counts[place] ?? 0;
    }
    return { group, block };
  });
  for (let index = 0; index < batch.channels.length; index++) {
    const place = batch.channels[index]?.place ?? 0;
    const block = blocks[place];
    const at = next[place] ?? 0;
    if (!block) continue;
    block.times[at] = batch.times[index] ?? 0;
    block.values[at] = batch.values[index] ?? 0;
    block.statuses[at] = batch.statuses[index] ?? 0;
    next[place] = at + 1;
  }
  for (const { channels } of groups) for (const channel of channels) channel.place = -1;
  return batches;
};
