import type { Pool } from "pg";
import { inSnapshot } from "../../platform/database/snapshot.ts";
import { hotReadings, inPlace, type Place, placeOf, type Range } from "../../readings/index.ts";

const hour = 3_600_000;

/** An hour of a channel, counted from the epoch, with the extremes of its readings. */
export interface HourSummary {
  hour: number;
  count: number;
  min: number;
  max: number;
}

/** A summary counts more than is packed where earlier readings are no longer kept. */
const summaries = (place?: Place): string => `
  SELECT s.hour, s.count, s.min, s.max
    FROM hour_summaries s JOIN packed_hours p ON p.channel_id = s.channel_id AND p.hour = s.hour AND p.count = s.count
                                             AND p.channel_id = $1 AND p.hour BETWEEN $2 AND $3${inPlace(place, "p")}
   WHERE s.channel_id = $1 AND s.hour BETWEEN $2 AND $3${inPlace(place, "s")} ORDER BY s.hour`;

const packed = (place?: Place): string =>
  `SELECT hour FROM packed_hours WHERE channel_id = $1 AND hour BETWEEN $2 AND $3${inPlace(place)}`;

/** The hours of a range in which a channel has readings. */
export interface HoursOfRange {
  /** Those that their summaries describe, ascending: they lie wholly in the range, and all of their readings are packed. */
  summarised: HourSummary[];
  /** The others, in no order: their readings have to be read. */
  others: number[];
}

/** The hours with readings of a channel from `from` to `to` (epoch milliseconds, both included), of one snapshot. */
export const hoursOfRange = (pool: Pool, channelId: number, range: Range): Promise<HoursOfRange> =>
  inSnapshot(pool, async (client) => {
    const place = await placeOf(client, channelId);
    const [first, last] = [Math.floor(range.from / hour), Math.floor(range.to / hour)];
    const values = [channelId, first, last];
    const all = await client.query<{ hour: number }>(packed(place), values);
    const known = await client.query<HourSummary>(summaries(place), values);
    const times = (await hotReadings(client, [channelId], range)).get(channelId)?.times ?? [];
    const hot = new Set(Array.from(times, (ts) => Math.floor(ts / hour)));
    const isWhole = (at: number) => at * hour >= range.from && (at + 1) * hour - 1 <= range.to;
    const summarised = known.rows.filter((row) => isWhole(row.hour) && !hot.has(row.hour));
    const described = new Set(summarised.map((row) => row.hour));
    const others = new Set([...hot, ...all.rows.map((row) => row.hour)]);
    return { summarised, others: [...others].filter((at) => !described.has(at)) };
  });
