import { maxChartPoints } from "@telltale/contract/domains/channels";
import pg, { type Pool } from "pg";
import { freePort } from "../../e2e/server-process.ts";
import { openOrReuseDatabase } from "../../server/src/platform/database/open.ts";
import { createLog } from "../../server/src/platform/log.ts";
import { chartOf } from "../../server/src/telemetry/history/chart.ts";
import { withPool } from "../bench-database.ts";
import { withServer } from "../bench-server.ts";
import { count, type Figure, fixed, ratio } from "../figure.ts";
import { median } from "../median.ts";
import { fillHours } from "../packed-history.ts";

const hour = 3_600_000;
const lastHour = 490_000;
const ranges: [name: string, hours: number][] = [
  ["1 hour", 1],
  ["1 week", 7 * 24],
  ["1 year", 365 * 24],
];

const chart = "SELECT * FROM telltale_chart($1, $2, $3, $4)";
const readings = "SELECT * FROM telltale_readings($1, $2, $3)";

/** A row has minimum and maximum, which are two points of the console's line. */
const rowsOfChart = maxChartPoints / 2;

const chartFigures = async (pool: Pool, sql: pg.Client, channelId: number): Promise<Figure[]> => {
  const figures: Figure[] = [];
  const to = (lastHour + 1) * hour - 1;
  for (const [name, hours] of ranges) {
    const from = to + 1 - hours * hour;
    const bySql = await median(() => sql.query(chart, [channelId, new Date(from), new Date(to), rowsOfChart]));
    const byConsole = await median(() => chartOf(pool, channelId, from, to, maxChartPoints));
    figures.push({
      name: `telltale_chart of ${name} at 1 Hz (${count(hours * 3_600, "readings")})`,
      goal: "<= 50 ms",
      measured: fixed(bySql, 1, "ms"),
      baseline: `the console's: ${fixed(byConsole, 1, "ms")}`,
      ratio: ratio(bySql, byConsole),
    });
  }
  return figures;
};

const readingsFigure = async (sql: pg.Client, channelId: number): Promise<Figure> => {
  const to = (lastHour + 1) * hour - 1;
  const hours = 7 * 24;
  const time = await median(() => sql.query(readings, [channelId, new Date(to + 1 - hours * hour), new Date(to)]));
  const perSecond = (hours * 3_600) / (time / 1_000);
  return {
    name: `telltale_readings of 1 week at 1 Hz (${count(hours * 3_600, "readings")})`,
    goal: "",
    measured: `${Math.round(perSecond).toLocaleString("en-US")} readings/s`,
    baseline: "",
    ratio: "",
  };
};

/** Charts and readings as a SQL user gets them, through the port of SQL users, beside the console's. */
export const sqlScenario = async (): Promise<Figure[]> => {
  const port = await freePort();
  return withServer(
    1,
    async ({ dataDir, telltale }) => {
      const [user] = await telltale<{ password: string; database: string }[]>(
        "sql-user",
        "add",
        "bench",
        "--plant",
        "Bench",
      );
      const database = await openOrReuseDatabase({ dataDir, log: createLog("error") });
      const sql = new pg.Client({ host: "127.0.0.1", port, user: "bench", ...user });
      await sql.connect();
      try {
        return await withPool(database.url, async (pool) => {
          const { rows } = await pool.query<{ id: number }>("SELECT min(channel_id) AS id FROM channels");
          const channelId = rows[0]?.id ?? 0;
          await fillHours(pool, channelId, lastHour - 365 * 24 + 1, lastHour);
          await pool.query("VACUUM ANALYZE");
          return [...(await chartFigures(pool, sql, channelId)), await readingsFigure(sql, channelId)];
        });
      } finally {
        await sql.end();
      }
    },
    { SQL_PORT: String(port) },
  );
};
