import type { ClientBase, Pool } from "pg";
import { inSnapshot } from "../../platform/database/snapshot.ts";
import { type PackedHour, type StoredReading, unpack } from "./packed-hour.ts";

const hour = 3_600_000;

/** Readings per hour within the range. An hour may have both packed readings and late hot ones. */
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

/** Readings of the given hours within the range, newest first; duplicates of packed and hot are removed. */
const readingsOf = async (
  client: ClientBase,
  channelId: number,
  hours: readonly number[],
  from: number,
  to: number,
): Promise<StoredReading[]> => {
  const packed = await client.query<PackedHour>(packedOf, [channelId, hours]);
  const hot = await client.query<StoredReading>(hotOf, [
    channelId,
    hours,
    Math.max(from, Math.min(...hours) * hour),
    Math.min(to, (Math.max(...hours) + 1) * hour - 1),
  ]);
  const all = [...packed.rows.flatMap(unpack), ...hot.rows].filter(({ ts }) => ts >= from && ts <= to);
  const once = new Map(all.map((reading) => [`${reading.ts}:${reading.value}`, reading]));
  return [...once.values()].sort((a, b) => b.ts - a.ts || b.value - a.value);
};

interface HourCount {
  hour: number;
  count: number;
}

/** Replaces the counts of hours that the range cuts by exact counts. */
const exactCounts = async (
  client: ClientBase,
  channelId: number,
  counts: readonly HourCount[],
  from: number,
  to: number,
): Promise<HourCount[]> => {
  const isCut = ({ hour: at }: HourCount) => at * hour < from || (at + 1) * hour - 1 > to;
  const cut = counts.filter(isCut).map((row) => row.hour);
  if (cut.length === 0) return [...counts];
  const readings = await readingsOf(client, channelId, cut, from, to);
  const exact = (at: number) => readings.filter(({ ts }) => Math.floor(ts / hour) === at).length;
  return counts.map((row) => (isCut(row) ? { hour: row.hour, count: exact(row.hour) } : row));
};

interface Page {
  rows: StoredReading[];
  total: number;
}

/** The hours that a page touches, newest first, and how many readings precede the first of them. */
const hoursOfPage = (
  counts: readonly HourCount[],
  begin: number,
  end: number,
): { hours: number[]; skipped: number } => {
  const hours: number[] = [];
  let before = 0;
  let skipped = 0;
  for (const { hour: at, count } of counts) {
    if (before + count > begin && before < end && count > 0) hours.push(at);
    else if (before + count <= begin) skipped = before + count;
    before += count;
  }
  return { hours, skipped };
};

/**
 * A page of a channel's readings from `from` to `to` (epoch milliseconds, both included), newest first. `page` counts from 1. Only the hours that the
 * page touches are unpacked. Reads one snapshot: an hour that is packed meanwhile is neither missed nor returned twice.
 */
export const pointsOf = (
  pool: Pool,
  channelId: number,
  from: number,
  to: number,
  { page, size }: { page: number; size: number },
): Promise<Page> =>
  inSnapshot(pool, async (client) => {
    const stretch = [Math.floor(from / hour), Math.floor(to / hour), from, to];
    const { rows } = await client.query<HourCount>(countByHour, [channelId, ...stretch]);
    const counts = await exactCounts(client, channelId, rows, from, to);
    const total = counts.reduce((sum, { count }) => sum + count, 0);
    const [begin, end] = [(page - 1) * size, page * size];
    const { hours, skipped } = hoursOfPage(counts, begin, end);
    if (hours.length === 0) return { rows: [], total };
    const readings = await readingsOf(client, channelId, hours, from, to);
    return { rows: readings.slice(begin - skipped, end - skipped), total };
  });
