import { Model } from "@telltale/contract/domains/devices";
import { sql } from "kysely";
import type { Database } from "../../platform/database/schema/schema.ts";
import { lockDashboards } from "./configuration-queries.ts";

/** Most tiles added for a new device. */
const firstTileLimit = 4;

interface NewDevice {
  plantId: number;
  deviceId: number;
  now: Date;
}

/** The plant's default dashboard; created for its first device. */
const defaultDashboard = async (db: Database, { plantId, now }: NewDevice): Promise<number> => {
  await lockDashboards(db, plantId);
  const known = await db
    .selectFrom("dashboards")
    .select("dashboard_id")
    .where("plant_id", "=", plantId)
    .where("is_default", "=", true)
    .executeTakeFirst();
  if (known) return known.dashboard_id;
  const made = await db
    .insertInto("dashboards")
    .values({ plant_id: plantId, name: "Dashboard", is_default: true, created_time: now, modified_time: now })
    .returning("dashboard_id")
    .executeTakeFirstOrThrow();
  return made.dashboard_id;
};

/** The device's measuring channels in order, without outputs and its own temperature and humidity. */
const firstChannels = (db: Database, deviceId: number) =>
  db
    .selectFrom("channels")
    .select("channel_id")
    .where("device_id", "=", deviceId)
    .where("group_name", "in", ["AI", "DI", "VBS", "VIBRATION"])
    .where("channel_cn", "not in", ["TEMP", "HUM"])
    .orderBy("position")
    .limit(firstTileLimit)
    .execute();

/** Adds tiles of a newly claimed device to the plant's default dashboard: one tile for a motor controller, the first channels of any other device. */
export const addFirstTiles = async (db: Database, device: NewDevice): Promise<void> => {
  const dashboardId = await defaultDashboard(db, device);
  const { type_id: model } = await db
    .selectFrom("devices")
    .select("type_id")
    .where("device_id", "=", device.deviceId)
    .executeTakeFirstOrThrow();
  const shown =
    model === Model.motorController ? [{ device_id: device.deviceId }] : await firstChannels(db, device.deviceId);
  if (shown.length === 0) return;
  const last = sql<number>`(select coalesce(max(position), -1) from dashboard_tiles where dashboard_id = ${dashboardId})`;
  await db
    .insertInto("dashboard_tiles")
    .values(
      shown.map((what, at) => ({ ...what, dashboard_id: dashboardId, position: sql<number>`${last} + ${at + 1}` })),
    )
    .execute();
  // Raises the version: a user who is editing the dashboard has not seen these tiles.
  await db
    .updateTable("dashboards")
    .set({ version: sql<number>`version + 1` })
    .where("dashboard_id", "=", dashboardId)
    .execute();
};
