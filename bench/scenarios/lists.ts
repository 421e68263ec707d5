import type { Pool } from "pg";
import { ask } from "../ask.ts";
import { count, type Figure, fixed } from "../figure.ts";
import { alertCount, deviceCount, withLongLists } from "../long-lists.ts";
import { median } from "../median.ts";

/** Typical queries of long lists. */
const requested: [list: string, name: string, path: string][] = [
  ["devices", "first page", "/api/device/list?page=1"],
  ["devices", "page 500", "/api/device/list?page=500"],
  ["devices", "of one name", "/api/device/list?deviceName=Pump+7777"],
  ["devices", "of a name that all have, page 1,000", "/api/device/list?deviceName=pump&page=1000"],
  ["devices", "in alert", "/api/device/list?status=1"],
  ["devices", "normal", "/api/device/list?status=2"],
  ["devices", "normal, page 1,000", "/api/device/list?status=2&page=1000"],
  ["devices", "offline or inactive", "/api/device/list?status=4&status=3"],
  ["devices", "payment due (none is)", "/api/device/list?status=5"],
  ["alerts", "first page", "/api/alarm/log/list?page=1"],
  ["alerts", "page 500", "/api/alarm/log/list?page=500"],
  ["alerts", "unconfirmed", "/api/alarm/log/list?status=1"],
  ["alerts", "of a class and a type that never met", "/api/alarm/log/list?alarmClass=2&alarmType=3"],
  ["alerts", "of devices by name", "/api/alarm/log/list?deviceName=Pump+7777"],
  ["alerts", "of a device by name that raised none", "/api/alarm/log/list?deviceName=Bench"],
  ["alerts", "of a rare report interval", "/api/alarm/log/list?interval=5"],
  ["alerts", "confirmed on a day 100 days ago", "/api/alarm/log/list?confirmStartTime={day}&confirmEndTime={day}"],
  ["alerts", "confirmed by nobody of that name", "/api/alarm/log/list?email=nobody"],
  ["alerts", "notifications", "/api/alarm/log/notification/list?page=1"],
  ["alerts", "one entry with its timeline", "/api/alarm/log/info?alarmLogId={entry}"],
];

const dayAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/** An entry in the middle of the log. */
const entryOf = async (pool: Pool): Promise<number> => {
  const { rows } = await pool.query<{ id: number }>(
    "SELECT ((min(alert_id) + max(alert_id)) / 2)::int AS id FROM alerts",
  );
  return rows[0]?.id ?? 0;
};

const urlOf = (baseURL: string, path: string, token: string, entry = 0): URL => {
  const url = new URL(path.replaceAll("{day}", dayAgo(100)).replaceAll("{entry}", String(entry)), baseURL);
  url.searchParams.set("token", token);
  return url;
};

const lengths: Record<string, number> = { devices: deviceCount, alerts: alertCount };

/** The month of the log that ended last: at an alert every 3 seconds it has 860,000. */
const reportOf = async (baseURL: string, token: string): Promise<Figure> => ({
  name: `${count(alertCount, "alerts")}: the report of a month`,
  goal: "<= 5 s",
  measured: fixed(await median(() => ask(urlOf(baseURL, "/api/alarm/report", token))), 0, "ms"),
  baseline: "",
  ratio: "",
});

/** Pages of the longest lists as the console requests them, over HTTP. */
export const lists = (): Promise<Figure[]> =>
  withLongLists(async ({ baseURL, pool, plantId, token }) => {
    const exact = await median(() => pool.query("SELECT count(*) FROM alerts WHERE plant_id = $1", [plantId]));
    const entry = await entryOf(pool);
    const figures: Figure[] = [];
    for (const [list, name, path] of requested)
      figures.push({
        name: `${count(lengths[list] ?? 0, list)}: ${name}`,
        goal: "<= 50 ms",
        measured: fixed(await median(() => ask(urlOf(baseURL, path, token, entry))), 1, "ms"),
        baseline: list === "alerts" ? `counting them all: ${fixed(exact, 0, "ms")}` : "",
        ratio: "",
      });
    return [...figures, await reportOf(baseURL, token)];
  });
