import { gzipSync } from "node:zlib";
import { createClient } from "@telltale/contract/call/client";
import { channels } from "@telltale/contract/domains/channels";
import { dashboards } from "@telltale/contract/domains/dashboard/dashboards";
import { rewind } from "@telltale/contract/domains/readings/rewind";
import type { Pool } from "pg";
import { withDatabaseUrl, withPool } from "../bench-database.ts";
import { withServer } from "../bench-server.ts";
import { type Figure, fixed, ratio } from "../figure.ts";
import { median } from "../median.ts";
import { fillHours } from "../packed-history.ts";

const hour = 3_600_000;
const tiles = 64;
/** Devices of twelve channels. */
const devices = 6;
const days = 30;
/** Seconds between two readings. */
const interval = 10;
const alertsOfDay = 50;

const fillAlerts = `
  INSERT INTO alerts (plant_id, device_id, channel_id, alarm_class, alarm_type, status, value, value_unit, threshold, created_time, accept_time, cleared_time, rule_key)
  SELECT d.plant_id, d.device_id, c.channel_id, 1, 1, 3, 12, 'mA', 10, t.at, t.at + interval '1 minute', t.at + interval '40 minutes', 'bench:' || n
    FROM generate_series(1, $1::int) AS n CROSS JOIN LATERAL (SELECT now() - n * interval '1 day' / $2::int AS at) AS t
    JOIN channels c ON c.channel_id = (SELECT min(channel_id) FROM channels) + n % $3::int JOIN devices d USING (device_id)`;

/** Windows by their days, with the goals of that of a day. */
const windows: [name: string, length: number, time: string, size: string][] = [
  ["24 hours, a minute each", 24 * hour, "<= 100 ms", "<= 200 kB"],
  ["7 days", 7 * 24 * hour, "", ""],
  ["30 days", days * 24 * hour, "", ""],
];

const fill = async (pool: Pool, channelIds: readonly number[]): Promise<void> => {
  const last = Math.floor(Date.now() / hour) - 1;
  for (const channelId of channelIds) await fillHours(pool, channelId, last - days * 24, last, interval);
  await pool.query(fillAlerts, [alertsOfDay * days, alertsOfDay, tiles]);
  await pool.query("VACUUM ANALYZE");
};

const measured = async (pool: Pool, baseURL: string, token: string): Promise<Figure[]> => {
  const client = createClient({ baseUrl: baseURL, token: () => token });
  const { rows } = await pool.query<{ id: number }>("SELECT device_id AS id FROM devices ORDER BY 1");
  const groups = (await Promise.all(rows.map(({ id }) => client(channels.grouped, { deviceId: id })))).flat();
  const channelIds = groups
    .flatMap((group) => group.channels.map((channel) => channel.deviceChannelId))
    .slice(0, tiles);
  await fill(pool, channelIds);
  const { dashboardId } = await client(dashboards.edit, { name: "Bench", deviceChannelIds: channelIds });
  const figures: Figure[] = [];
  for (const [name, length, time, size] of windows) {
    const url = new URL(rewind.window.path, baseURL);
    const to = Date.now();
    const query = { dashboardId, from: new Date(to - length).toISOString(), to: new Date(to).toISOString(), token };
    for (const [key, value] of Object.entries(query)) url.searchParams.set(key, String(value));
    const read = async () => (await fetch(url, { headers: { "accept-encoding": "identity" } })).text();
    const text = await read();
    if (!text.startsWith('{"code":0')) throw new Error(`${url.pathname} answered ${text.slice(0, 200)}`);
    const [plain, zipped] = [text.length / 1000, gzipSync(text).length / 1000];
    const of = `rewind of ${name}, ${tiles} tiles with a reading every ${interval} s`;
    figures.push(
      { name: of, goal: time, measured: fixed(await median(read), 0, "ms"), baseline: "", ratio: "" },
      {
        name: `${of}: its answer`,
        goal: size,
        measured: fixed(plain, 0, "kB"),
        baseline: `gzipped: ${fixed(zipped, 0, "kB")}`,
        ratio: ratio(plain, zipped),
      },
    );
  }
  return figures;
};

/** A dashboard of 64 tiles rewound, over HTTP. */
export const rewound = (): Promise<Figure[]> =>
  withDatabaseUrl((url) =>
    withServer(
      devices,
      ({ baseURL, signIn }) =>
        withPool(url, async (pool) => {
          const { token } = await signIn();
          return measured(pool, baseURL, token);
        }),
      { DATABASE_URL: url },
    ),
  );
