import { type Client, createClient } from "@telltale/contract/call/client";
import { channels } from "@telltale/contract/domains/channels";
import { dashboards } from "@telltale/contract/domains/dashboard/dashboards";
import { sparklineSpan } from "@telltale/contract/domains/dashboard/tiles";
import { devices } from "@telltale/contract/domains/devices";
import type { Pool } from "pg";
import { Registry } from "prom-client";
import { createLog } from "../../server/src/platform/log.ts";
import { encodeBlock, groupOf, mergeNow } from "../../server/src/readings/index.ts";
import { withDatabaseUrl, withPool } from "../bench-database.ts";
import { withServer } from "../bench-server.ts";
import { count, type Figure, fixed } from "../figure.ts";
import { makeDashboards, tiles } from "../full-dashboard.ts";
import { median } from "../median.ts";
import { storeReadings } from "../stored-readings.ts";

/** Each measured call is of another dashboard, because the server keeps an answer for a few seconds. */
const boards = 24;
/** Analog channels of a MIX: each dashboard has others of them. */
const analogOfDevice = 4;
const second = 1000;
const perHour = sparklineSpan / second;
/** Readings a second of a channel, and the time of one of its chunks, as 500 channels have them at 350,000 readings/s; milliseconds. */
const [fast, chunkLength] = [700, 2_500];

interface Place {
  deviceId: number;
  channelId: number;
}

const placesOf = async (client: Client): Promise<Place[]> => {
  const { data } = await client(devices.list, { size: 200 });
  const places: Place[] = [];
  for (const { deviceId } of data)
    for (const group of await client(channels.grouped, { deviceId }))
      for (const { deviceChannelId } of group.channels) places.push({ deviceId, channelId: deviceChannelId });
  return places;
};

/** Stores and merges the last hour of the channels, with a reading a second. */
const storeHour = async (pool: Pool, places: readonly Place[]): Promise<void> => {
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
};

const insertChunks = `
  INSERT INTO chunks (device_group, device_id, hour, channel_id, first_ts, last_ts, count, min, max, readings)
  SELECT p.device_group, p.device_id, (t / 3600000)::int, p.channel_id, t, t + $5 - 1, $6, 8 + sin(t / 400000.0), 9 + sin(t / 400000.0), $7
    FROM generate_series($4::int8, $4::int8 + ${sparklineSpan} - 2 * $5::int8, $5::int8) AS t
         CROSS JOIN unnest($1::int2[], $2::int4[], $3::int4[]) AS p(device_group, device_id, channel_id) ORDER BY t`;

/** Stores an hour of chunks as the merges of a fleet at full load write them. */
const storeFastHour = async (pool: Pool, places: readonly Place[]): Promise<void> => {
  const length = (fast * chunkLength) / second;
  const block = {
    ...{ deviceIds: [1], channelIds: [1], counts: [length], shown: new Uint8Array(1) },
    times: Float64Array.from({ length }, (_, at) => at),
    values: Float64Array.from({ length }, (_, at) => 8 + Math.round(100 * Math.sin(at / 100)) / 100),
    statuses: new Uint8Array(length).fill(1),
  };
  const begun = Date.now() - sparklineSpan;
  await pool.query(insertChunks, [
    places.map(({ deviceId }) => groupOf(deviceId)),
    places.map(({ deviceId }) => deviceId),
    places.map(({ channelId }) => channelId),
    ...[begun, chunkLength, length, encodeBlock(block)],
  ]);
  await pool.query("ANALYZE chunks");
};

const figure = (name: string, goal: string, measured: number): Figure => ({
  ...{ name, goal, measured: fixed(measured, 1, "ms"), baseline: "", ratio: "" },
});

/** The call of a dashboard for the last hour of all its tiles, over HTTP: with a reading a second of each channel, and with several hundred. */
export const dashboard = (): Promise<Figure[]> =>
  withDatabaseUrl((url) =>
    withServer(
      Math.ceil((tiles + boards) / analogOfDevice),
      (server) =>
        withPool(url, async (pool) => {
          const { token } = await server.signIn();
          const client = createClient({ baseUrl: server.baseURL, token: () => token });
          const places = await placesOf(client);
          await storeHour(pool, places);
          const ids = await makeDashboards(server, token, boards);
          await pool.query("VACUUM ANALYZE");
          let at = 0;
          const lines = () => client(dashboards.sparklines, { dashboardId: ids[at++ % boards] ?? 0 });
          const timed = async (): Promise<number> => {
            const start = performance.now();
            await lines();
            return performance.now() - start;
          };
          const first = await timed();
          const again = await median(lines);
          const shown = (await lines()).lines;
          if (shown.length < tiles) throw new Error(`A dashboard has ${shown.length} lines instead of ${tiles}`);
          const points = shown.reduce((sum, { steps }) => sum + steps.length, 0);
          await storeFastHour(pool, places);
          const firstFast = await timed();
          const againFast = await median(lines);
          const rate = `${tiles} tiles at ${fast} readings/s each`;
          return [
            figure(
              `sparklines of ${tiles} tiles (${count(tiles * perHour, "readings")}, ${count(points, "points")}), the first of all`,
              "",
              first,
            ),
            figure("the same, of another dashboard with channels of it", "<= 50 ms", again),
            figure(`sparklines of ${rate}, of which none was read before`, "", firstFast),
            figure("the same, of another dashboard with channels of it", "<= 50 ms", againFast),
          ];
        }),
      { DATABASE_URL: url },
    ),
  );
