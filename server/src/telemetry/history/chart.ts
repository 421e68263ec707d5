import type { ClientBase, Pool } from "pg";
import { inSnapshot } from "../../platform/database/snapshot.ts";
import { type Buckets, createBuckets, type Line } from "./buckets.ts";
import { type PackedHour, unpack } from "./packed-hour.ts";

const minute = 60_000;
const hour = 60 * minute;

const hotReadings = "SELECT ts, value FROM readings WHERE channel_id = $1 AND ts BETWEEN $2 AND $3 ORDER BY ts, value";

/** Hot readings aggregated by bucket, for long ranges. */
const hotExtremes = `
  SELECT (ts / $4::bigint)::int8 AS place, min(value) AS min, max(value) AS max, count(*)::int AS count
    FROM readings WHERE channel_id = $1 AND ts BETWEEN $2 AND $3 GROUP BY 1`;

const packedReadings =
  "SELECT hour, steps, values, statuses FROM packed_hours WHERE channel_id = $1 AND hour BETWEEN $2 AND $3 ORDER BY hour";

/** Packed hours aggregated to the bucket length, so that years cost no more than months. */
const packedHours = `
  SELECT min(hour) AS hour, (max(hour) - min(hour) + 1) AS hours, min(min) AS min, max(max) AS max, sum(count)::int AS count
    FROM packed_hours WHERE channel_id = $1 AND hour BETWEEN $2 AND $3 GROUP BY hour / $4::int ORDER BY 1`;

/** Minute summaries of the hours that have them; the reading arrays of the others, which hold few readings. */
const packedMinutes = `
  SELECT hour, coalesce(minute_counts, minute_count::int[]) AS minute_counts, minute_min, minute_max,
         CASE WHEN minute_min IS NULL THEN steps END AS steps, CASE WHEN minute_min IS NULL THEN values END AS values
    FROM packed_hours WHERE channel_id = $1 AND hour BETWEEN $2 AND $3 ORDER BY hour`;

interface Asked {
  client: ClientBase;
  channelId: number;
  from: number;
  to: number;
  buckets: Buckets;
}

const addWhole = (buckets: Buckets, row: PackedHour, from: number, to: number): void => {
  for (const { ts, value } of unpack(row)) if (ts >= from && ts <= to) buckets.addReading(ts, value);
};

const addPackedReadings = async (
  { client, channelId, from, to, buckets }: Asked,
  firstHour: number,
  lastHour: number,
): Promise<void> => {
  if (lastHour < firstHour) return;
  const { rows } = await client.query<PackedHour>(packedReadings, [channelId, firstHour, lastHour]);
  for (const row of rows) addWhole(buckets, row, from, to);
};

/** First and last hour that lie wholly in the range; the partial hours at both ends are read reading by reading. */
const innerHours = (from: number, to: number): [number, number] => [
  Math.ceil(from / hour),
  Math.floor((to + 1) / hour) - 1,
];

const addEdges = async (asked: Asked, [first, last]: [number, number]): Promise<void> => {
  const [begin, end] = [Math.floor(asked.from / hour), Math.floor(asked.to / hour)];
  if (last < first) return addPackedReadings(asked, begin, end);
  await addPackedReadings(asked, begin, first - 1);
  await addPackedReadings(asked, last + 1, end);
};

const addHours = async (asked: Asked, length: number): Promise<void> => {
  const { client, channelId, buckets } = asked;
  const inner = innerHours(asked.from, asked.to);
  await addEdges(asked, inner);
  const step = Math.max(1, Math.floor(length / hour));
  const { rows } = await client.query<{ hour: number; hours: number; min: number; max: number; count: number }>(
    packedHours,
    [channelId, ...inner, step],
  );
  for (const row of rows) buckets.addSummary(row.hour * hour, row.hours * hour, row.min, row.max, row.count);
};

interface MinuteRow {
  hour: number;
  minute_counts: number[] | null;
  minute_min: number[];
  minute_max: number[];
  steps: number[] | null;
  values: number[] | null;
}

const addMinutes = async (asked: Asked): Promise<void> => {
  const { client, channelId, from, to, buckets } = asked;
  const inner = innerHours(from, to);
  await addEdges(asked, inner);
  const { rows } = await client.query<MinuteRow>(packedMinutes, [channelId, ...inner]);
  for (const row of rows) {
    if (row.steps && row.values)
      addWhole(buckets, { hour: row.hour, steps: row.steps, values: row.values, statuses: null }, from, to);
    row.minute_counts?.forEach((count, at) => {
      const [min, max] = [row.minute_min[at], row.minute_max[at]];
      if (count > 0 && min !== undefined && max !== undefined)
        buckets.addSummary(row.hour * hour + at * minute, minute, min, max, count);
    });
  }
};

const addHot = async ({ client, channelId, from, to, buckets }: Asked, length: number): Promise<void> => {
  if (length < minute) {
    const { rows } = await client.query<{ ts: number; value: number }>(hotReadings, [channelId, from, to]);
    for (const { ts, value } of rows) buckets.addReading(ts, value);
    return;
  }
  const step = Math.floor(length);
  const { rows } = await client.query<{ place: number; min: number; max: number; count: number }>(hotExtremes, [
    channelId,
    from,
    to,
    step,
  ]);
  for (const row of rows) buckets.addSummary(row.place * step, step, row.min, row.max, row.count);
};

/** First and last stored time of a channel within a range, so that no points are spent on empty time. */
const extent = `
  SELECT least((SELECT min(ts) FROM readings WHERE channel_id = $1 AND ts BETWEEN $2 AND $3),
               (SELECT min(hour)::bigint * ${hour} FROM packed_hours WHERE channel_id = $1 AND hour BETWEEN $2 / ${hour} AND $3 / ${hour})) AS first,
         greatest((SELECT max(ts) FROM readings WHERE channel_id = $1 AND ts BETWEEN $2 AND $3),
               (SELECT (max(hour)::bigint + 1) * ${hour} - 1 FROM packed_hours WHERE channel_id = $1 AND hour BETWEEN $2 / ${hour} AND $3 / ${hour})) AS last`;

/**
 * Counts the readings of a range up to $4. The first rows reveal a dense channel, so that only a sparse one has its hours counted. An hour with
 * packed and hot readings may count twice.
 */
const countUpTo = `
  SELECT CASE WHEN (SELECT sum(count) FROM (SELECT count FROM packed_hours WHERE channel_id = $1 AND hour BETWEEN $2::bigint / ${hour} AND $3::bigint / ${hour} LIMIT 50) AS first_hours) > $4::int
         THEN $4 + 1
         ELSE coalesce((SELECT sum(count) FROM (SELECT count FROM packed_hours WHERE channel_id = $1 AND hour BETWEEN $2::bigint / ${hour} AND $3::bigint / ${hour} LIMIT $4 + 1) AS all_hours), 0)
              + (SELECT count(*) FROM (SELECT 1 FROM readings WHERE channel_id = $1 AND ts BETWEEN $2 AND $3 LIMIT $4 + 1) AS hot) END::int AS count`;

/** All readings of the range, duplicates removed. */
const allReadings = async ({ client, channelId, from, to }: Omit<Asked, "buckets">): Promise<Line> => {
  const hours = [Math.floor(from / hour), Math.floor(to / hour)];
  const packed = await client.query<PackedHour>(packedReadings, [channelId, ...hours]);
  const hot = await client.query<{ ts: number; value: number }>(hotReadings, [channelId, from, to]);
  const all = [...packed.rows.flatMap(unpack).filter(({ ts }) => ts >= from && ts <= to), ...hot.rows];
  const once = new Map(all.map(({ ts, value }) => [`${ts}:${value}`, { ts, value }]));
  const line = [...once.values()].sort((a, b) => a.ts - b.ts || a.value - b.value);
  return { xs: line.map(({ ts }) => ts), ys: line.map(({ value }) => value), count: line.length };
};

/** Adds stored data to the buckets, at the resolution that buckets of this length need. */
const addAll = async (asked: Asked, length: number): Promise<void> => {
  if (length >= hour) await addHours(asked, length);
  else if (length >= minute) await addMinutes(asked);
  else await addPackedReadings(asked, Math.floor(asked.from / hour), Math.floor(asked.to / hour));
  await addHot(asked, length);
};

/**
 * A channel's line from `from` to `to` (epoch milliseconds, both included) in at most `maxPoints` points. No minimum or maximum is lost. A year is
 * read from hours, a week from minutes, an hour from its readings, so the cost depends on the points and not on the readings. When there are no more
 * readings than points, each is drawn at its exact time. Reads one snapshot: an hour that is packed meanwhile is neither missed nor counted twice.
 */
export const chartOf = (pool: Pool, channelId: number, from: number, to: number, maxPoints: number): Promise<Line> =>
  inSnapshot(pool, async (client) => {
    const { rows } = await client.query<{ first: number | null; last: number | null }>(extent, [channelId, from, to]);
    const { first, last } = rows[0] ?? { first: null, last: null };
    if (first === null || last === null) return { xs: [], ys: [], count: 0 };
    const [begin, end] = [Math.max(from, first), Math.min(to, last)];
    const counted = await client.query<{ count: number }>(countUpTo, [channelId, begin, end, maxPoints]);
    if ((counted.rows[0]?.count ?? 0) <= maxPoints) return allReadings({ client, channelId, from: begin, to: end });
    const buckets = createBuckets(begin, end, maxPoints);
    const length = (end - begin + 1) / Math.max(1, Math.floor(maxPoints / 2));
    await addAll({ client, channelId, from: begin, to: end, buckets }, length);
    return buckets.line();
  });
