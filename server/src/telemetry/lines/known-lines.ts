import type { Pool } from "pg";
import { type Cells, createCells } from "./cells.ts";

/** Most channels whose lines are kept: 12 kB each. */
const mostChannels = 2_000;
/** After how long a channel that nobody asks for is forgotten, milliseconds. */
const keptFor = 10 * 60_000;

/** What is known of one hour of a channel. */
export interface KnownHour {
  hour: number;
  cells: Cells;
  /** All chunks up to this one are in it: a device's chunks are committed in the order of their ids, since its group is merged by one at a time. */
  upTo: number;
}

/** A channel with the hours that are asked for. */
export interface KnownChannel {
  channelId: number;
  deviceId: number;
  hours: readonly KnownHour[];
}

interface Kept {
  deviceId: number;
  hours: Map<number, KnownHour>;
  usedAt: number;
}

const devicesOf = "SELECT channel_id, device_id FROM channels WHERE channel_id = ANY($1::int4[])";

/** Lines of channels as far as they have been read. */
export interface KnownLines {
  /** What is known of these hours of the channels, to be completed; channels that do not exist are left out. */
  of(channelIds: readonly number[], hours: readonly number[]): Promise<KnownChannel[]>;
}

export const createKnownLines = (pool: Pool): KnownLines => {
  const kept = new Map<number, Kept>();
  const forgetOld = (now: number): void => {
    // The least recently used come first.
    for (const [channelId, { usedAt }] of kept) {
      if (kept.size <= mostChannels && now - usedAt < keptFor) return;
      kept.delete(channelId);
    }
  };
  const findDevices = async (channelIds: readonly number[]): Promise<void> => {
    const unknown = channelIds.filter((channelId) => !kept.has(channelId));
    if (unknown.length === 0) return;
    const { rows } = await pool.query<{ channel_id: number; device_id: number }>(devicesOf, [unknown]);
    for (const { channel_id, device_id } of rows)
      if (!kept.has(channel_id)) kept.set(channel_id, { deviceId: device_id, hours: new Map(), usedAt: 0 });
  };
  return {
    of: async (channelIds, hours) => {
      await findDevices(channelIds);
      const now = performance.now();
      const found = channelIds.flatMap((channelId): KnownChannel[] => {
        const channel = kept.get(channelId);
        if (!channel) return [];
        kept.delete(channelId);
        kept.set(channelId, channel);
        channel.usedAt = now;
        const wanted = hours.map((hour) => channel.hours.get(hour) ?? { hour, cells: createCells(hour), upTo: 0 });
        channel.hours = new Map(wanted.map((each) => [each.hour, each] as const));
        return [{ channelId, deviceId: channel.deviceId, hours: wanted }];
      });
      forgetOld(now);
      return found;
    },
  };
};
