import type { Pool } from "pg";
import { inTransaction } from "../server/src/platform/database/transaction.ts";
import { createMonths } from "../server/src/telemetry/history/months.ts";

/** Packed hours of one channel, a reading every $4 seconds, written as by the packing job. Every hour has the same noise, so that all have the same size. */
const fill = `
  WITH seconds AS (SELECT s, round((8 + 3 * sin(s / 900.0) + 0.02 * (random() - 0.5))::numeric / 0.004) * 0.004 AS value FROM generate_series(0, 3599, $4::int) AS s),
  minutes AS (SELECT s / 60 AS minute, count(*)::int AS count, min(value)::float8 AS min, max(value)::float8 AS max, avg(value)::float8 AS avg FROM seconds GROUP BY 1),
  newest AS (SELECT DISTINCT ON ((s + 59) / 60) s, value FROM seconds WHERE 3600 / $4::int >= 240 ORDER BY (s + 59) / 60, s DESC),
  one AS (
    SELECT (SELECT array_agg(CASE WHEN s = 0 THEN 0 ELSE 1000 * $4::int END ORDER BY s) FROM seconds) AS steps, (SELECT array_agg(value::float8 ORDER BY s) FROM seconds) AS values,
           (SELECT array_agg(count ORDER BY minute) FROM minutes) AS counts, (SELECT array_agg(min ORDER BY minute) FROM minutes) AS mins,
           (SELECT array_agg(max ORDER BY minute) FROM minutes) AS maxs, (SELECT array_agg(avg ORDER BY minute) FROM minutes) AS avgs,
           (SELECT array_agg(s * 1000 ORDER BY s) FROM newest) AS offsets, (SELECT array_agg(value::float8 ORDER BY s) FROM newest) AS newest)
  INSERT INTO packed_hours (channel_id, hour, count, minute_counts, minute_min, minute_max, minute_avg, steps, values, newest_of, newest_offsets, newest_values)
  SELECT $1, h, 3600 / $4::int, counts, mins, maxs, avgs, steps, values, 3600 / $4::int, offsets, newest FROM one, generate_series($2::int, $3::int) AS h`;
const summarise = `
  INSERT INTO hour_summaries (channel_id, hour, count, min, max, sum)
  SELECT $1, h, 3600 / $4::int, 5 + (h % 17) / 100.0, 11 + (h % 13) / 100.0, 28800 / $4::int FROM generate_series($2::int, $3::int) AS h`;
const hoursAtOnce = 2_000;

/** Fills hours (since the epoch) `first` to `last` of a channel with a reading every `seconds`, a divisor of 60. */
export const fillHours = async (
  pool: Pool,
  channelId: number,
  first: number,
  last: number,
  seconds = 1,
): Promise<void> => {
  const hours = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  await inTransaction(pool, (client) => createMonths(client, hours));
  for (let from = first; from <= last; from += hoursAtOnce)
    await pool.query(fill, [channelId, from, Math.min(last, from + hoursAtOnce - 1), seconds]);
  await pool.query(summarise, [channelId, first, last, seconds]);
};
