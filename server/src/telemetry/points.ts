import type { Pool } from "pg";
import { type PackedHour, type StoredReading, unpack } from "./packed-hour.ts";

const hour = 3_600_000;

/** Readings by hour within the range. An hour may have both packed readings and late hot ones. */
const countByHour = `
  SELECT hour, sum(count)::int AS count FROM (
    SELECT hour, count FROM packed_hours WHERE channel_id = $1 AND hour BETWEEN $2 AND $3
    UNION ALL
    SELECT (ts / ${hour})::int, count(*) FROM readings WHERE channel_id = $1 AND ts BETWEEN $4 AND $5 GROUP BY 1
  ) AS counts GROUP BY hour ORDER BY hour DESC`;

const packedOf =
  "SELECT hour, steps, values, statuses FROM packed_hours WHERE channel_id = $1 AND hour = ANY($2::int[])";
const hotOf =
  "SELECT ts, value, status FROM readings WHERE channel_id = $1 AND (ts / " +
  hour +
  ")::int = ANY($2::int[]) AND ts BETWEEN $3 AND $4";

/** The readings of some hours that lie in the range, newest first; one stored both packed and hot is given once. */
const readingsOf = async (
  pool: Pool,
  channelId: number,
  hours: readonly number[],
  from: number,
  to: number,
): Promise<StoredReading[]> => {
  const [packed, hot] = await Promise.all([
    pool.query<PackedHour>(packedOf, [channelId, hours]),
    pool.query<StoredReading>(hotOf, [
      channelId,
      hours,
      Math.max(from, Math.min(...hours) * hour),
      Math.min(to, (Math.max(...hours) + 1) * hour - 1),
    ]),
  ]);
  const all = [...packed.rows.flatMap(unpack), ...hot.rows].filter(({ ts }) => ts >= from && ts <= to);
  const once = new Map(all.map((reading) => [`${reading.ts}:${reading.value}`, reading]));
  return [...once.values()].sort((a, b) => b.ts - a.ts || b.value - a.value);
};

interface HourCount {
  hour: number;
  count: number;
}

/** Hours that the range cuts are counted by their readings. */
const exactCounts = async (
  pool: Pool,
  channelId: number,
  counts: readonly HourCount[],
  from: number,
  to: number,
): Promise<HourCount[]> => {
  const isCut = ({ hour: at }: HourCount) => at * hour < from || (at + 1) * hour - 1 > to;
  const cut = counts.filter(isCut).map((row) => row.hour);
  if (cut.length === 0) return [...counts];
  const readings = await readingsOf(pool, channelId, cut, from, to);
  const exact = (at: number) => readings.filter(({ ts }) => Math.floor(ts / hour) === at).length;
  return counts.map((row) => (isCut(row) ? { hour: row.hour, count: exact(row.hour) } : row));
};

/**
 * A page of a channel's readings from `from` to `to` (epoch milliseconds, both included), newest first. `page` counts from 1.
 * Only the hours that the page touches are unpacked.
 */
export const pointsOf = async (
  pool: Pool,
  channelId: number,
  from: number,
  to: number,
  { page, size }: { page: number; size: number },
): Promise<{ rows: StoredReading[]; total: number }> => {
  const { rows } = await pool.query<HourCount>(countByHour, [
    channelId,
    Math.floor(from / hour),
    Math.floor(to / hour),
    from,
    to,
  ]);
  const counts = await exactCounts(pool, channelId, rows, from, to);
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const [begin, end] = [(page - 1) * size, page * size];
  const needed: number[] = [];
  let before = 0;
  let skipped = 0;
  for (const { hour: at, count } of counts) {
    if (before + count > begin && before < end && count > 0) needed.push(at);
    else if (before + count <= begin) skipped = before + count;
    before += count;
  }
  if (needed.length === 0) return { rows: [], total };
  const readings = await readingsOf(pool, channelId, needed, from, to);
  return { rows: readings.slice(begin - skipped, end - skipped), total };
};
