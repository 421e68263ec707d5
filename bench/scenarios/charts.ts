import { maxChartPoints } from "@telltale/contract/channels";
import type { Pool } from "pg";
import { chartOf } from "../../server/src/telemetry/chart.ts";
import { withDatabase } from "../bench-database.ts";
import { type Figure, fixed, ratio } from "../figure.ts";
import { median } from "../median.ts";

const hour = 3_600_000;
const years = 3;
const hoursTotal = years * 365 * 24;
const lastHour = 490_000;

/** Packed hours of one channel at 1 Hz, written as the packing job writes them. The same noise every hour: what is read is as long. */
const fill = `
  WITH seconds AS (SELECT s, round((8 + 3 * sin(s / 900.0) + 0.02 * (random() - 0.5))::numeric / 0.004) * 0.004 AS value FROM generate_series(0, 3599) AS s),
  minutes AS (SELECT s / 60 AS minute, count(*)::int2 AS count, min(value)::float8 AS min, max(value)::float8 AS max, avg(value)::float8 AS avg FROM seconds GROUP BY 1),
  one AS (
    SELECT (SELECT array_agg(CASE WHEN s = 0 THEN 0 ELSE 1000 END ORDER BY s) FROM seconds) AS steps, (SELECT array_agg(value::float8 ORDER BY s) FROM seconds) AS values,
           (SELECT array_agg(count ORDER BY minute) FROM minutes) AS counts, (SELECT array_agg(min ORDER BY minute) FROM minutes) AS mins,
           (SELECT array_agg(max ORDER BY minute) FROM minutes) AS maxs, (SELECT array_agg(avg ORDER BY minute) FROM minutes) AS avgs)
  INSERT INTO packed_hours (channel_id, hour, count, min, max, sum, minute_count, minute_min, minute_max, minute_avg, steps, values)
  SELECT 1, h, 3600, 5 + (h % 17) / 100.0, 11 + (h % 13) / 100.0, 28800, counts, mins, maxs, avgs, steps, values
    FROM one, generate_series($1::int, $2::int) AS h`;

/** The same week as plain rows, for comparison. */
const plainWeek = `
  CREATE TABLE plain AS SELECT 1 AS channel_id, $1::bigint + s * 1000 AS ts, 8 + 3 * sin(s / 900.0) AS value FROM generate_series(0, 604799) AS s`;
const plainChart =
  "SELECT ts / ($3::bigint) AS place, min(value), max(value) FROM plain WHERE channel_id = 1 AND ts BETWEEN $1 AND $2 GROUP BY 1 ORDER BY 1";

const figureOf = async (pool: Pool, name: string, length: number, plain: number | undefined): Promise<Figure> => {
  const to = (lastHour + 1) * hour - 1;
  const line = await chartOf(pool, 1, to - length + 1, to, maxChartPoints);
  const time = await median(() => chartOf(pool, 1, to - length + 1, to, maxChartPoints));
  return {
    name: `chart of ${name} at 1 Hz (${line.count.toLocaleString("en-US")} readings, ${line.xs.length} points)`,
    goal: "<= 50 ms, <= 2,000 points",
    measured: fixed(time, 1, "ms"),
    baseline: plain === undefined ? "" : `grouping plain rows: ${fixed(plain, 1, "ms")}`,
    ratio: plain === undefined ? "" : ratio(time, plain),
  };
};

/** A channel's line over an hour, a week and three years. */
export const charts = (): Promise<Figure[]> =>
  withDatabase(async (pool) => {
    for (let from = lastHour - hoursTotal + 1; from <= lastHour; from += 2000)
      await pool.query(fill, [from, Math.min(lastHour, from + 1999)]);
    const week = 7 * 24 * hour;
    const to = (lastHour + 1) * hour;
    await pool.query(plainWeek, [to - week]);
    await pool.query("CREATE INDEX ON plain (channel_id, ts)");
    await pool.query("VACUUM ANALYZE");
    const plain = (length: number) => median(() => pool.query(plainChart, [to - length, to, Math.ceil(length / 1000)]));
    return [
      await figureOf(pool, "1 hour", hour, await plain(hour)),
      await figureOf(pool, "1 week", week, await plain(week)),
      await figureOf(pool, `${years} years`, hoursTotal * hour, undefined),
    ];
  });
