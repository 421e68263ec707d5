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
  /**
   * All chunks up to this one are in it: a device's chunks are committed in the order of their ids, since its group is merged by one at a time. A damaged
   * one that can be read again is found when it is packed.
   */
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
  /** The channels as they are kept, or with nothing known yet. Taken before anything is waited for: another call may make them be forgotten. */
  const take = async (channelIds: readonly number[]): Promise<Map<number, Kept>> => {
    const taken = new Map<number, Kept>();
    for (const channelId of channelIds) {
      const channel = kept.get(channelId);
      if (channel) taken.set(channelId, channel);
    }
    const unknown = channelIds.filter((channelId) => !taken.has(channelId));
    if (unknown.length === 0) return taken;
    const { rows } = await pool.query<{ channel_id: number; device_id: number }>(devicesOf, [unknown]);
    for (const { channel_id, device_id } of rows)
      taken.set(channel_id, kept.get(channel_id) ?? { deviceId: device_id, hours: new Map(), usedAt: 0 });
    return taken;
  };
  return {
    of: async (channelIds, hours) => {
      const taken = await take(channelIds);
      const now = performance.now();
      const found = Array.from(taken, ([channelId, channel]): KnownChannel => {
        kept.delete(channelId);
        kept.set(channelId, channel);
        channel.usedAt = now;
        const wanted = hours.map((hour) => channel.hours.get(hour) ?? { hour, cells: createCells(hour), upTo: 0 });
        channel.hours = new Map(wanted.map((each) => [each.hour, each] as const));
        return { channelId, deviceId: channel.deviceId, hours: wanted };
      });
      forgetOld(now);
      return found;
    },
  };
};
