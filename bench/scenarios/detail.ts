import { createClient } from "@telltale/contract/call/client";
import { detailPageSize } from "@telltale/contract/call/paging";
import { alarmTrial } from "@telltale/contract/domains/alerting/trial";
import { AlertClass, AlertType, alerts } from "@telltale/contract/domains/alerts";
import { type ChannelGroup, channels } from "@telltale/contract/domains/channels";
import { devices } from "@telltale/contract/domains/devices";
import { history } from "@telltale/contract/domains/readings/history";
import type { Pool } from "pg";
import { ask } from "../ask.ts";
import { withDatabaseUrl, withPool } from "../bench-database.ts";
import { withServer } from "../bench-server.ts";
import { count, type Figure, fixed } from "../figure.ts";
import { median } from "../median.ts";
import { fillHours } from "../packed-history.ts";

const hour = 3_600_000;
const hoursOfHistory = 365 * 24;
const periods = 100;
const alertsOfChannel = 10_000;
/** Most alerts that the chart draws. */
const drawnAlerts = 200;

/** Earlier settings periods of one week each; the current one covers all readings. */
const fillPeriods = `
  WITH now AS (UPDATE settings_periods SET start_time = to_timestamp($2) WHERE channel_id = $1 AND end_time IS NULL RETURNING start_time, settings)
  INSERT INTO settings_periods (channel_id, start_time, end_time, settings)
  SELECT $1, start_time - n * interval '7 days', start_time - (n - 1) * interval '7 days', settings FROM now, generate_series(1, $3::int - 1) AS n`;
const fillAlerts = `
  INSERT INTO alerts (plant_id, device_id, channel_id, alarm_class, alarm_type, status, value, value_unit, threshold, created_time, accept_time, cleared_time, rule_key)
  SELECT d.plant_id, d.device_id, $1, 1, 2, 3, 12, 'mA', 10, now() - n * interval '50 minutes', now() - n * interval '50 minutes' + interval '1 minute',
         now() - n * interval '50 minutes' + interval '5 minutes', 'bench:' || n
    FROM devices d, generate_series(1, $3::int) AS n WHERE d.device_id = $2`;
const fillLatest = "INSERT INTO latest (channel_id, ts, value, status, received_ts) VALUES ($1, $2, 8, 1, $2)";

const fillHistory = async (pool: Pool, deviceId: number, channelId: number): Promise<void> => {
  const last = Math.floor(Date.now() / hour) - 1;
  const first = last - hoursOfHistory + 1;
  await fillHours(pool, channelId, first, last);
  await pool.query(fillPeriods, [channelId, (first * hour) / 1000, periods]);
  await pool.query(fillAlerts, [channelId, deviceId, alertsOfChannel]);
  await pool.query(fillLatest, [channelId, Date.now()]);
  await pool.query("VACUUM ANALYZE");
};

type Query = Record<string, string | number>;
type BenchRequest = [name: string, path: string, query: Query];

const trialDays = 30;

/** Limits of a rule that is tried: crossed in every hour, so that all readings are evaluated, or in a few, so that most hours are skipped. */
const triedLimits: [name: string, limit: number][] = [
  ["a limit crossed in every hour", 10],
  ["a limit that few hours come near", 11.11],
];

/** *Try it* over 30 days of a channel with a reading every 5 seconds. */
const trials = async (baseURL: string, token: string, pool: Pool, deviceId: number, channelId: number) => {
  const last = Math.floor(Date.now() / hour) - 1;
  await fillHours(pool, channelId, last - trialDays * 24, last, 5);
  await pool.query("VACUUM ANALYZE");
  const client = createClient({ baseUrl: baseURL, token: () => token });
  const rule = { alarmName: "Bench", alarmClass: AlertClass.custom, deviceId, deviceChannelId: channelId };
  const figures: Figure[] = [];
  for (const [name, alarmValue] of triedLimits) {
    const input = { ...rule, type: AlertType.high, alarmValue, alarmHysteresis: 0.1, days: trialDays };
    const { readings } = await client(alarmTrial.try, input);
    figures.push({
      name: `Try it over ${trialDays} days at 5 s (${count(readings, "readings")}), ${name}`,
      goal: "<= 2 s",
      measured: fixed(await median(() => client(alarmTrial.try, input)), 0, "ms"),
      baseline: "",
      ratio: "",
    });
  }
  return figures;
};

/** The requests of the screen when it opens; each wave starts when the previous one is answered. */
const waves = (deviceId: number, channelId: number, logId: number): BenchRequest[][] => [
  [["the device", devices.detail.path, { deviceId }]],
  [["its channels", channels.grouped.path, { deviceId }]],
  [
    ["current value", channels.value.path, { deviceChannelId: channelId }],
    ["settings periods", history.periods.path, { channelId, page: 1, size: detailPageSize }],
    ["alert history", alerts.ofChannel.path, { deviceChannelId: channelId, page: 1, size: detailPageSize }],
  ],
  [
    [`chart of ${count(hoursOfHistory * 3600, "readings")}`, history.chart.path, { logId, timeZoneId: "UTC" }],
    ["alerts on the chart", alerts.ofChannel.path, { deviceChannelId: channelId, size: drawnAlerts }],
    ["list of readings", history.points.path, { logId, timeZoneId: "UTC", page: 1, size: detailPageSize }],
  ],
];

const urlWith = (baseURL: string, token: string) => (path: string, query: Query) => {
  const url = new URL(path, baseURL);
  for (const [name, value] of Object.entries({ ...query, token })) url.searchParams.set(name, String(value));
  return url;
};

const measured = async (pool: Pool, baseURL: string, token: string): Promise<Figure[]> => {
  const urlOf = urlWith(baseURL, token);
  const { rows } = await pool.query<{ id: number }>("SELECT device_id AS id FROM devices");
  const deviceId = rows[0]?.id ?? 0;
  const groups = await ask<ChannelGroup[]>(urlOf(channels.grouped.path, { deviceId }));
  const [channelId = 0, tried = 0] = groups[0]?.channels.map(({ deviceChannelId }) => deviceChannelId) ?? [];
  await fillHistory(pool, deviceId, channelId);
  const { data } = await ask<{ data: { logGroupId: number }[] }>(urlOf(history.periods.path, { channelId }));
  const all = waves(deviceId, channelId, data[0]?.logGroupId ?? 0);
  const figures: Figure[] = [];
  const note = async (name: string, goal: string, work: () => Promise<unknown>) => {
    const time = fixed(await median(work), 1, "ms");
    figures.push({ name: `device detail: ${name}`, goal, measured: time, baseline: "", ratio: "" });
  };
  for (const [name, path, query] of all.flat()) await note(name, "<= 50 ms", () => ask(urlOf(path, query)));
  await note("all of them, as the screen opens", "<= 200 ms", async () => {
    for (const wave of all) await Promise.all(wave.map(([, path, query]) => ask(urlOf(path, query))));
  });
  return [...figures, ...(await trials(baseURL, token, pool, deviceId, tried))];
};

/** The requests of a device's screen over HTTP: a year of readings at 1 Hz, 100 settings periods and 10,000 alerts of the selected channel; and *Try it*. */
export const detail = (): Promise<Figure[]> =>
  withDatabaseUrl((url) =>
    withServer(
      1,
      ({ baseURL, signIn }) =>
        withPool(url, async (pool) => {
          const { token } = await signIn();
          return measured(pool, baseURL, token);
        }),
      { DATABASE_URL: url },
    ),
  );
