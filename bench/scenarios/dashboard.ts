import { createClient } from "@telltale/contract/call/client";
import { channels } from "@telltale/contract/domains/channels";
import { dashboards } from "@telltale/contract/domains/dashboard/dashboards";
import { sparklineSpan } from "@telltale/contract/domains/dashboard/tiles";
import { devices } from "@telltale/contract/domains/devices";
import { Registry } from "prom-client";
import { createLog } from "../../server/src/platform/log.ts";
import { mergeNow } from "../../server/src/readings/index.ts";
import { withDatabaseUrl, withPool } from "../bench-database.ts";
import { withServer } from "../bench-server.ts";
import { count, type Figure, fixed } from "../figure.ts";
import { makeDashboards, tiles } from "../full-dashboard.ts";
import { median } from "../median.ts";
import { storeReadings } from "../stored-readings.ts";

/** Each measured call is of another dashboard, because the server keeps an answer for a few seconds. */
const boards = 24;
const second = 1000;
const perHour = sparklineSpan / second;

/** The call of a dashboard for the last hour of all its tiles, over HTTP, with a reading a second of each channel. */
export const dashboard = (): Promise<Figure[]> =>
  withDatabaseUrl((url) =>
    withServer(
      Math.ceil((tiles + boards) / 8),
      (server) =>
        withPool(url, async (pool) => {
          const { token } = await server.signIn();
          const client = createClient({ baseUrl: server.baseURL, token: () => token });
          const { data } = await client(devices.list, { size: 200 });
          const places: { deviceId: number; channelId: number }[] = [];
          for (const { deviceId } of data)
            for (const group of await client(channels.grouped, { deviceId }))
              for (const { deviceChannelId } of group.channels) places.push({ deviceId, channelId: deviceChannelId });
          const begun = Date.now() - sparklineSpan;
          for (const place of places) {
            const series = {
              ...place,
              timeOf: (n: number) => begun + n * second,
              valueOf: (n: number) => 8 + 3 * Math.sin(n / 400) + 0.02 * Math.sin(n * place.channelId),
            };
            await storeReadings(pool, series, 0, perHour);
          }
          const merging = { pool, log: createLog("error"), metrics: new Registry() };
          await mergeNow(merging, [...new Set(places.map(({ deviceId }) => deviceId))]);
          const ids = await makeDashboards(server, token, boards);
          await pool.query("VACUUM ANALYZE");
          let at = 0;
          const time = await median(() => client(dashboards.sparklines, { dashboardId: ids[at++ % boards] ?? 0 }));
          const { lines } = await client(dashboards.sparklines, { dashboardId: ids[0] ?? 0 });
          const points = lines.reduce((sum, { steps }) => sum + steps.length, 0);
          return [
            {
              name: `sparklines of ${tiles} tiles (${count(tiles * perHour, "readings")}, ${count(points, "points")})`,
              goal: "<= 50 ms",
              measured: fixed(time, 1, "ms"),
              baseline: "",
              ratio: "",
            },
          ];
        }),
      { DATABASE_URL: url },
    ),
  );
