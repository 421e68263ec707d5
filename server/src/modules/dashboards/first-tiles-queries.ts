import { maxTiles } from "@telltale/contract/domains/dashboard/dashboards";
import { mostUnaskedTiles, type TileOffer } from "@telltale/contract/domains/dashboard/tile-offers";
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

/** SQL: whether a row of `channels` measures: no output, and not the device's own temperature and humidity. */
const measures = sql<boolean>`(group_name in ('AI', 'DI', 'VBS', 'VIBRATION') and channel_cn not in ('TEMP', 'HUM'))`;

/** The device's measuring channels in order. */
const firstChannels = (db: Database, deviceId: number) =>
  db
    .selectFrom("channels")
    .select("channel_id")
    .where("device_id", "=", deviceId)
    .where(measures)
    .orderBy("position")
    .limit(firstTileLimit)
    .execute();

/** The tiles of a new device: one for a motor controller, the first channels of any other device. */
const firstTiles = async (db: Database, deviceId: number) => {
  const { type_id: model } = await db
    .selectFrom("devices")
    .select("type_id")
    .where("device_id", "=", deviceId)
    .executeTakeFirstOrThrow();
  return model === Model.motorController ? [{ device_id: deviceId }] : firstChannels(db, deviceId);
};

/** Number of tiles on a dashboard. */
const tileCount = async (db: Database, dashboardId: number): Promise<number> => {
  const { count } = await db
    .selectFrom("dashboard_tiles")
    .where("dashboard_id", "=", dashboardId)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
};

const append = async (
  db: Database,
  dashboardId: number,
  shown: Awaited<ReturnType<typeof firstTiles>>,
): Promise<void> => {
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

/** Whether the plant's default dashboard has as many tiles already as are added without being asked for. */
const isFull = async (db: Database, plantId: number): Promise<boolean> => {
  const { count } = await db
    .selectFrom("dashboards")
    .innerJoin("dashboard_tiles", "dashboard_tiles.dashboard_id", "dashboards.dashboard_id")
    .where("dashboards.plant_id", "=", plantId)
    .where("dashboards.is_default", "=", true)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count >= mostUnaskedTiles;
};

/** Adds tiles of a newly claimed device to the plant's default dashboard, as long as that stays small enough to be taken in at a glance. */
export const addFirstTiles = async (db: Database, device: NewDevice): Promise<void> => {
  // Looked at before the plant's dashboards are locked: claims of a thousand devices would wait for each other.
  if (await isFull(db, device.plantId)) return;
  const dashboardId = await defaultDashboard(db, device);
  const shown = await firstTiles(db, device.deviceId);
  if (shown.length === 0 || (await tileCount(db, dashboardId)) + shown.length > mostUnaskedTiles) return;
  await append(db, dashboardId, shown);
};

/** SQL: whether a dashboard shows something of the row of `devices`. */
const isShown = (dashboardId: number) => sql<boolean>`exists (
  select from dashboard_tiles t left join channels c using (channel_id) left join dashboard_groups g using (group_id)
   where t.dashboard_id = ${dashboardId} and devices.device_id = coalesce(t.device_id, c.device_id, g.device_id))`;

/** Adds the tiles of a device that was offered. Returns whether there was something to add, and room for it. */
export const addOfferedTiles = async (db: Database, dashboardId: number, deviceId: number): Promise<boolean> => {
  const { is_shown } = await db
    .selectFrom("devices")
    .select(isShown(dashboardId).as("is_shown"))
    .where("device_id", "=", deviceId)
    .executeTakeFirstOrThrow();
  const shown = await firstTiles(db, deviceId);
  if (is_shown || shown.length === 0 || (await tileCount(db, dashboardId)) + shown.length > maxTiles) return false;
  await append(db, dashboardId, shown);
  return true;
};

/** How long a new device is offered, in milliseconds, and how many at most. */
const offeredFor = 7 * 86_400_000;
const offerLimit = 20;

/** The newest devices of the plant that a dashboard does not show because it has many tiles. */
export const tileOffers = async (
  db: Database,
  { plantId, dashboardId, now }: { plantId: number; dashboardId: number; now: Date },
): Promise<TileOffer[]> => {
  const count = await tileCount(db, dashboardId);
  const rows = await db
    .selectFrom("devices")
    .select(["device_id", "device_name", "type_id"])
    .select(
      sql<number>`least(${firstTileLimit}, (select count(*) from channels where channels.device_id = devices.device_id and ${measures}))::int`.as(
        "channels",
      ),
    )
    .where("plant_id", "=", plantId)
    .where("claimed_time", ">", new Date(now.getTime() - offeredFor))
    .where((eb) => eb.not(isShown(dashboardId)))
    .orderBy("claimed_time", "desc")
    .orderBy("device_id", "desc")
    .limit(offerLimit)
    .execute();
  return rows.flatMap(({ device_id: deviceId, device_name: deviceName, type_id, channels }) => {
    const isMotor = type_id === Model.motorController;
    const tiles = isMotor ? 1 : channels;
    if (tiles === 0 || count + tiles <= mostUnaskedTiles) return [];
    return { deviceId, deviceName, channels: isMotor ? null : channels };
  });
};
