import type { Pool } from "pg";
import { withDatabaseUrl, withPool } from "../bench-database.ts";
import { type BenchServer, withServer } from "../bench-server.ts";
import { count, type Figure, fixed, ratio } from "../figure.ts";
import { packStored, storeReadings } from "../stored-readings.ts";

const hour = 3_600_000;
const day = 24 * hour;
const channels = 4;
/** Hours of four channels at 1 Hz that make up a million readings. */
const hours = 70;
/** Within the downloadable range of 10 to 30 days ago. */
const daysAgo = 20;

interface FilledChannel {
  device_id: number;
  channel_id: number;
}

const signalAt = (n: number): number =>
  Math.round((8 + 3 * Math.sin(n / 900) + 0.02 * (Math.random() - 0.5)) / 0.004) * 0.004;

const fillReadings = async (pool: Pool, firstHour: number): Promise<void> => {
  const { rows } = await pool.query<FilledChannel>(
    "SELECT device_id, channel_id FROM channels ORDER BY position LIMIT $1",
    [channels],
  );
  for (const { device_id: deviceId, channel_id: channelId } of rows) {
    const series = { deviceId, channelId, valueOf: signalAt, timeOf: (n: number) => firstHour * hour + n * 1000 };
    for (let at = 0; at < hours; at += 10) {
      await storeReadings(pool, series, at * 3600, (at + 10) * 3600);
      await packStored(pool, deviceId, firstHour + at, firstHour + at + 10);
    }
  }
};

const megabyte = 2 ** 20;

interface Download {
  seconds: number;
  bytes: number;
  /** Peak resident memory of the server above its level before, megabytes. */
  memory: number;
}

/** Reads an answer to its end as a fast browser would, while sampling the server's memory. */
const download = async (server: BenchServer, path: string): Promise<Download> => {
  const before = await server.residentMemory();
  const start = performance.now();
  let [bytes, peak] = [0, before];
  const watch = setInterval(async () => {
    peak = Math.max(peak, await server.residentMemory());
  }, 20);
  const answer = await fetch(new URL(path, server.baseURL));
  if (!answer.ok || !answer.body) throw new Error(`${path} answered ${answer.status}`);
  for await (const chunk of answer.body) bytes += chunk.length;
  clearInterval(watch);
  return { seconds: (performance.now() - start) / 1000, bytes, memory: peak - before };
};

const dayText = (ts: number): string => new Date(ts).toISOString().slice(0, 10);

const secondsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
};

const exported = async (pool: Pool, server: BenchServer): Promise<Figure[]> => {
  const first = Math.floor(Date.now() / day) * day - daysAgo * day;
  await fillReadings(pool, first / hour);
  const { token } = await server.signIn();
  const { rows } = await pool.query<{ id: number }>("SELECT device_id AS id FROM devices");
  const days = `startTime=${dayText(first)}&endTime=${dayText(first + hours * hour)}`;
  const path = `/api/device/export/excel?token=${token}&deviceId=${rows[0]?.id}&type=0&${days}`;
  const { seconds, bytes, memory } = await download(server, path);
  const reading = await secondsOf(() => pool.query("SELECT channel_id, hour, steps, values FROM packed_hours"));
  const readings = hours * 3600 * channels;
  const name = `spreadsheet of ${count(readings, "readings")}`;
  return [
    {
      name,
      goal: "",
      measured: count(readings / seconds, "rows/s"),
      baseline: `only reading them out of the database: ${count(readings / reading, "rows/s")}`,
      ratio: ratio(reading, seconds),
    },
    {
      name: `${name}, the server's extra memory`,
      goal: "<= 100 MB",
      measured: fixed(memory, 0, "MB"),
      baseline: `file: ${fixed(bytes / megabyte, 1, "MB")}`,
      ratio: "",
    },
  ];
};

/** Downloads a spreadsheet of a million readings from packed hours over HTTP. */
export const exports = (): Promise<Figure[]> =>
  withDatabaseUrl((url) =>
    withServer(1, (server) => withPool(url, (pool) => exported(pool, server)), { DATABASE_URL: url }),
  );
