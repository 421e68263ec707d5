import type { Pool } from "pg";
import { type PackedHour, type StoredReading, unpack } from "./packed-hour.ts";

const hour = 3_600_000;

/** Readings read at once, about: as few as possible, and enough to make a query worth its while. */
const batchSize = 20_000;

export interface ChannelReading extends StoredReading {
  channelId: number;
}

const countByHour = `
  SELECT hour, sum(count)::int AS count FROM (
    SELECT hour, count FROM packed_hours WHERE channel_id = ANY($1::int[]) AND hour BETWEEN $2 AND $3
    UNION ALL
    SELECT (ts / ${hour})::int, count(*) FROM readings WHERE channel_id = ANY($1::int[]) AND ts BETWEEN $4 AND $5 GROUP BY 1
  ) AS counts GROUP BY hour ORDER BY hour`;

/** Packed and hot readings in one statement and so of one moment: an hour that is packed meanwhile is neither missed nor given twice. */
const readHours = `
  SELECT channel_id, hour, steps, values, statuses, NULL::bigint[] AS times
    FROM packed_hours WHERE channel_id = ANY($1::int[]) AND hour BETWEEN $2 AND $3
  UNION ALL
  SELECT channel_id, NULL, NULL, array_agg(value ORDER BY ts, value), array_agg(status ORDER BY ts, value), array_agg(ts ORDER BY ts, value)
    FROM readings WHERE channel_id = ANY($1::int[]) AND ts BETWEEN $4 AND $5 GROUP BY channel_id`;

interface HoursRow extends PackedHour {
  channel_id: number;
  /** Of hot readings instead of steps. */
  times: string[] | null;
}

const readingsOf = (row: HoursRow): ChannelReading[] => {
  const { channel_id: channelId, times, values, statuses } = row;
  if (!times) return unpack(row).map(({ ts, value, status }) => ({ channelId, ts, value, status }));
  return times.map((ts, at) => ({
    channelId,
    ts: Number(ts),
    value: values[at] as number,
    status: statuses?.[at] as number,
  }));
};

const inOrder = (a: ChannelReading, b: ChannelReading): number =>
  a.ts - b.ts || a.channelId - b.channelId || a.value - b.value;

/** A late reading may be both packed and, sent again, hot. */
const isRepeated = (reading: ChannelReading, before: ChannelReading | undefined): boolean =>
  before !== undefined && inOrder(reading, before) === 0;

/** Neighbouring hours put together until they hold a batch. */
const batchesOf = (counts: readonly { hour: number; count: number }[]): [first: number, last: number][] => {
  const batches: [number, number][] = [];
  let held = Number.POSITIVE_INFINITY;
  for (const { hour: at, count } of counts) {
    const current = batches.at(-1);
    if (current && held + count <= batchSize) current[1] = at;
    else batches.push([at, at]);
    held = current && held + count <= batchSize ? held + count : count;
  }
  return batches;
};

/**
 * All readings of some channels from `from` to `to` (epoch milliseconds, both included), in time order, a batch of whole hours at a time. No
 * connection is held between two batches: whoever reads slowly, or stops, keeps nobody waiting.
 */
export async function* readingsInOrder(
  pool: Pool,
  channelIds: readonly number[],
  from: number,
  to: number,
): AsyncGenerator<ChannelReading[]> {
  const hours = [Math.floor(from / hour), Math.floor(to / hour)];
  const { rows: counts } = await pool.query(countByHour, [channelIds, ...hours, from, to]);
  for (const [first, last] of batchesOf(counts)) {
    const stretch = [Math.max(from, first * hour), Math.min(to, (last + 1) * hour - 1)] as const;
    const { rows } = await pool.query<HoursRow>(readHours, [channelIds, first, last, ...stretch]);
    const all = rows.flatMap(readingsOf).filter(({ ts }) => ts >= stretch[0] && ts <= stretch[1]);
    all.sort(inOrder);
    yield all.filter((reading, at) => !isRepeated(reading, all[at - 1]));
  }
}

const anyReading = `
  SELECT EXISTS (SELECT 1 FROM packed_hours WHERE channel_id = ANY($1::int[]) AND hour BETWEEN $2 AND $3)
      OR EXISTS (SELECT 1 FROM readings WHERE channel_id = ANY($1::int[]) AND ts BETWEEN $4 AND $5) AS found`;

/** Whether there is a reading of these channels in the hours of the stretch. */
export const hasReadings = async (
  pool: Pool,
  channelIds: readonly number[],
  { from, to }: { from: number; to: number },
): Promise<boolean> => {
  const hours = [Math.floor(from / hour), Math.floor(to / hour)];
  const { rows } = await pool.query<{ found: boolean }>(anyReading, [channelIds, ...hours, from, to]);
  return rows[0]?.found ?? false;
};

const firstReading = `
  SELECT min(least((SELECT hour::bigint * ${hour} FROM packed_hours p WHERE p.channel_id = c.id ORDER BY hour LIMIT 1),
                   (SELECT ts FROM readings r WHERE r.channel_id = c.id ORDER BY ts LIMIT 1))) AS ts
    FROM unnest($1::int[]) AS c(id)`;

/** When the first reading of these channels was made, to the hour, epoch milliseconds; null when there is none. */
export const firstReadingOf = async (pool: Pool, channelIds: readonly number[]): Promise<number | null> => {
  const { rows } = await pool.query<{ ts: number | null }>(firstReading, [channelIds]);
  return rows[0]?.ts ?? null;
};
