import { sql } from "kysely";
import type { Database } from "../../platform/database/schema/schema.ts";

/** A device with what decides how long its readings are kept. */
export interface KeptDevice {
  device_id: number;
  plant_id: number | null;
  /** Null: all are kept. */
  readings_from: Date | null;
  device_months: number | null;
  plant_months: number | null;
  /** When the month of its oldest data package ended; null without packages. */
  oldest_package: Date | null;
}

/** A batch of devices after `afterId`, by id. */
export const keptDevices = async (db: Database, afterId: number): Promise<KeptDevice[]> => {
  const { rows } = await sql<KeptDevice>`
    SELECT d.device_id, d.plant_id, d.readings_from, d.months_kept AS device_months, p.months_kept AS plant_months,
           (SELECT min(k.end_time) FROM monthly_packages k WHERE k.device_id = d.device_id) AS oldest_package
      FROM devices d LEFT JOIN plants p USING (plant_id)
     WHERE d.device_id > ${afterId} ORDER BY d.device_id LIMIT 500`.execute(db);
  return rows;
};

/** How long the readings of a device and of its plant are kept; until the transaction ends nobody changes it. */
export const fixMonths = async (
  db: Database,
  deviceId: number,
): Promise<Pick<KeptDevice, "device_months" | "plant_months"> | undefined> => {
  const { rows } = await sql<{ device_months: number | null; plant_id: number | null }>`
    SELECT months_kept AS device_months, plant_id FROM devices WHERE device_id = ${deviceId} FOR NO KEY UPDATE`.execute(
    db,
  );
  const [device] = rows;
  if (!device) return undefined;
  const plants = await sql<{ plant_months: number | null }>`
    SELECT months_kept AS plant_months FROM plants WHERE plant_id = ${device.plant_id} FOR SHARE`.execute(db);
  return { device_months: device.device_months, plant_months: plants.rows[0]?.plant_months ?? null };
};

/** A device with a package, and its sub-devices' stored readings with its own. */
export interface StorageUsage {
  device_id: number;
  device_name: string;
  device_sn_id: string;
  plant_id: number;
  /** Gigabytes of the newest package that was bought for it. */
  storage_space: number;
  readings: number;
  /** The device and its sub-devices. */
  device_ids: number[];
  /** When the notice that the space is used up was sent, and for which space. */
  noticed_time: Date | null;
  noticed_gigabytes: number | null;
}

const spaceOf = sql`
  (SELECT o.storage_space FROM orders o WHERE o.device_id = d.device_id AND o.plant_id = d.plant_id AND o.status = 'captured' AND o.storage_space IS NOT NULL
    ORDER BY o.captured_time DESC LIMIT 1)`;

/** The main devices with a package and what is stored of each; `deviceId` limits it to one. */
export const storageUsage = async (db: Database, deviceId?: number): Promise<StorageUsage[]> => {
  const { rows } = await sql<StorageUsage>`
    SELECT d.device_id, d.device_name, d.device_sn_id, d.plant_id, ${spaceOf} AS storage_space, n.noticed_time, n.gigabytes AS noticed_gigabytes,
           coalesce((SELECT sum(m.readings) FROM stored_months m JOIN devices s USING (device_id)
                      WHERE s.device_id = d.device_id OR s.parent_device_id = d.device_id), 0)::float8 AS readings,
           ARRAY(SELECT s.device_id FROM devices s WHERE s.device_id = d.device_id OR s.parent_device_id = d.device_id) AS device_ids
      FROM devices d LEFT JOIN storage_notices n USING (device_id)
     WHERE d.plant_id IS NOT NULL AND d.parent_device_id IS NULL AND ${deviceId === undefined ? sql`true` : sql`d.device_id = ${deviceId}`}
       AND ${spaceOf} IS NOT NULL
     ORDER BY d.device_id`.execute(db);
  return rows;
};

/** Stored readings of devices by month, newest first. `month`: years * 12 + months from 0. */
export const storedByMonth = async (
  db: Database,
  deviceIds: readonly number[],
): Promise<{ month: number; readings: number }[]> => {
  const { rows } = await sql<{ month: number; readings: number }>`
    SELECT month, sum(readings)::float8 AS readings FROM stored_months WHERE device_id = ANY(${deviceIds}::int[])
     GROUP BY month HAVING sum(readings) > 0 ORDER BY month DESC`.execute(db);
  return rows;
};

/**
 * Readings of devices by hour, from `from` to `to` (excluded), newest first. Hours that a device keeps as summaries only do not count: their readings take
 * no storage space any more, though the summaries have their numbers.
 */
export const readingsByHour = async (
  db: Database,
  deviceIds: readonly number[],
  { from, to }: { from: number; to: number },
): Promise<{ hour: number; readings: number }[]> => {
  const { rows } = await sql<{ hour: number; readings: number }>`
    WITH kept AS MATERIALIZED (
      SELECT c.channel_id, coalesce(ceil(extract(epoch FROM d.readings_from) / 3600)::int, ${from}) AS first_hour
        FROM channels c JOIN devices d USING (device_id) WHERE c.device_id = ANY(${deviceIds}::int[]))
    SELECT s.hour, sum(s.count)::float8 AS readings FROM hour_summaries s JOIN kept k ON k.channel_id = s.channel_id AND s.hour >= k.first_hour
     WHERE s.hour >= ${from} AND s.hour < ${to}
     GROUP BY s.hour ORDER BY s.hour DESC`.execute(db);
  return rows;
};

type Stored = Pick<KeptDevice, "readings_from" | "device_months" | "plant_months"> & { readings: number };

/** How long the readings of a device and of its plant are kept, and what is stored of it and its sub-devices. */
export const storedOf = async (db: Database, deviceId: number): Promise<Stored | undefined> => {
  const { rows } = await sql<Stored>`
    SELECT coalesce((SELECT sum(m.readings) FROM stored_months m JOIN devices s USING (device_id)
                      WHERE s.device_id = d.device_id OR s.parent_device_id = d.device_id), 0)::float8 AS readings,
           d.readings_from, d.months_kept AS device_months, p.months_kept AS plant_months
      FROM devices d LEFT JOIN plants p USING (plant_id) WHERE d.device_id = ${deviceId}`.execute(db);
  return rows[0];
};

/** For how many months a plant keeps its readings; null: as long as the operator. */
export const monthsOfPlant = async (db: Database, plantId: number): Promise<{ plant: number | null }> =>
  db.selectFrom("plants").select("months_kept as plant").where("plant_id", "=", plantId).executeTakeFirstOrThrow();

interface MonthsChange {
  plantId: number;
  /** Undefined: all devices of the plant. */
  deviceId: number | undefined;
  months: number | null;
}

/** Changes for how many months readings are kept; returns the number before, undefined when the plant has no such device. */
export const changeMonths = async (
  db: Database,
  { plantId, deviceId, months }: MonthsChange,
): Promise<{ before: number | null } | undefined> => {
  const { rows } = await (deviceId === undefined
    ? sql<{ before: number | null }>`
        UPDATE plants SET months_kept = ${months} FROM (SELECT months_kept FROM plants WHERE plant_id = ${plantId} FOR NO KEY UPDATE) AS old
         WHERE plant_id = ${plantId} RETURNING old.months_kept AS before`
    : sql<{ before: number | null }>`
        UPDATE devices SET months_kept = ${months}
          FROM (SELECT months_kept FROM devices WHERE device_id = ${deviceId} AND plant_id = ${plantId} FOR NO KEY UPDATE) AS old
         WHERE device_id = ${deviceId} RETURNING old.months_kept AS before`
  ).execute(db);
  return rows[0];
};
