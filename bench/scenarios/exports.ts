import { DeviceType, Model } from "@telltale/contract/devices";
import type { Pool } from "pg";
import { provisionDevice } from "../../server/src/devices/provision.ts";
import { exportReadings } from "../../server/src/downloads/export.ts";
import { wallClockOf } from "../../server/src/downloads/wall-clock.rules.ts";
import { packHourRange } from "../../server/src/telemetry/packing.ts";
import type { Database } from "../../server/src/world.ts";
import { withDatabase } from "../bench-database.ts";
import { count, type Figure, fixed } from "../figure.ts";

const hour = 3_600_000;
const firstHour = 490_000;
/** Hours of four channels at 1 Hz that make a million readings. */
const hours = 70;

const fill = `
  INSERT INTO readings SELECT channel_id, $1::bigint + s * 1000, round((8 + 3 * sin(s / 900.0) + 0.02 * (random() - 0.5))::numeric / 0.004) * 0.004, 1
    FROM channels, generate_series(0, $2::int * 3600 - 1) AS s WHERE device_id = $3`;

const aDeviceWithReadings = async (pool: Pool, db: Database): Promise<number> => {
  const device = { model: Model.analog, deviceType: DeviceType.main };
  const { deviceId } = await provisionDevice(db, device, new Date());
  for (let at = 0; at < hours; at += 10) {
    await pool.query(fill, [(firstHour + at) * hour, 10, deviceId]);
    await packHourRange(pool, firstHour + at, firstHour + at + 10);
  }
  return deviceId;
};

const megabyte = 2 ** 20;

interface Exported {
  seconds: number;
  bytes: number;
  /** Most resident memory above that before the export, bytes. */
  memory: number;
}

/** Reads an export to its end as a fast browser would, and looks at the process's memory all the while. */
const exported = async (pool: Pool, db: Database, deviceId: number): Promise<Exported> => {
  const before = process.memoryUsage.rss();
  const start = performance.now();
  const stretch = { from: firstHour * hour, to: (firstHour + hours) * hour - 1 };
  let [bytes, peak] = [0, before];
  for await (const chunk of await exportReadings({ db, pool }, deviceId, wallClockOf("America/Chicago"), stretch)) {
    bytes += (chunk as Buffer).length;
    peak = Math.max(peak, process.memoryUsage.rss());
  }
  return { seconds: (performance.now() - start) / 1000, bytes, memory: peak - before };
};

/** A spreadsheet of a million readings out of packed hours. */
export const exports = (): Promise<Figure[]> =>
  withDatabase(async (pool, db) => {
    const deviceId = await aDeviceWithReadings(pool, db);
    const readings = hours * 3600 * 4;
    const { seconds, bytes, memory } = await exported(pool, db, deviceId);
    const name = `spreadsheet of ${count(readings, "readings")}`;
    return [
      { name, goal: "", measured: count(readings / seconds, "rows/s"), baseline: fixed(seconds, 1, "s"), ratio: "" },
      {
        name: `${name}, extra memory`,
        goal: "<= 100 MB",
        measured: fixed(memory / megabyte, 0, "MB"),
        baseline: `file: ${fixed(bytes / megabyte, 1, "MB")}`,
        ratio: "",
      },
    ];
  });
