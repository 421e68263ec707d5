import { maxChartPoints } from "@telltale/contract/domains/channels";
import type { Pool } from "pg";
import { chartOf } from "../../server/src/telemetry/history/chart.ts";
import { withDatabase } from "../bench-database.ts";
import { type Figure, fixed, ratio } from "../figure.ts";
import { median } from "../median.ts";
import { fillHours } from "../packed-history.ts";

const hour = 3_600_000;
const years = 3;
const hoursTotal = years * 365 * 24;
const lastHour = 490_000;

/** The same week as plain rows, for the baseline. */
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

/** A channel's chart line over an hour, a week and three years. */
export const charts = (): Promise<Figure[]> =>
  withDatabase(async (pool) => {
    await fillHours(pool, 1, lastHour - hoursTotal + 1, lastHour);
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
