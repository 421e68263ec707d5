import { Model } from "@telltale/contract/domains/devices";
import { sql } from "kysely";
import type { Database } from "../../platform/database/schema/schema.ts";
import { type TileTarget, tileChanges } from "./configuration.rules.ts";

const present = (ids: (number | null)[]): number[] => ids.filter((id) => id !== null);

/** Whether all channels, groups and motor controllers of these tiles belong to the plant. */
export const arePlaceable = async (db: Database, plantId: number, targets: readonly TileTarget[]): Promise<boolean> => {
  const channels = present(targets.map((target) => target.channel_id));
  const groups = present(targets.map((target) => target.group_id));
  const devices = present(targets.map((target) => target.device_id));
  const { rows } = await sql<{ found: number }>`
    select (select count(*) from channels join devices using (device_id)
             where plant_id = ${plantId} and channel_id = any(${channels}::int[]))::int
         + (select count(*) from dashboard_groups
             where plant_id = ${plantId} and group_id = any(${groups}::int[]))::int
         + (select count(*) from devices
             where plant_id = ${plantId} and type_id = ${Model.motorController}
               and device_id = any(${devices}::int[]))::int as found`.execute(db);
  return rows[0]?.found === targets.length;
};

/** Sets the tiles of a dashboard: remaining ones keep their places, new ones come last. */
export const placeTiles = async (db: Database, dashboardId: number, wanted: readonly TileTarget[]): Promise<void> => {
  const standing = await db
    .selectFrom("dashboard_tiles")
    .select(["tile_id", "channel_id", "group_id", "device_id", "position"])
    .where("dashboard_id", "=", dashboardId)
    .execute();
  const { gone, added } = tileChanges(standing, wanted);
  if (gone.length > 0) await db.deleteFrom("dashboard_tiles").where("tile_id", "in", gone).execute();
  if (added.length === 0) return;
  const next = Math.max(-1, ...standing.map((tile) => tile.position)) + 1;
  await db
    .insertInto("dashboard_tiles")
    .values(added.map((target, at) => ({ ...target, dashboard_id: dashboardId, position: next + at })))
    .execute();
};

/** Sets the order of a dashboard's tiles. */
export const orderTiles = async (db: Database, dashboardId: number, tileIds: readonly number[]): Promise<void> => {
  await sql`
    update dashboard_tiles set position = requested.place - 1
      from unnest(${tileIds}::int[]) with ordinality as requested (tile_id, place)
     where dashboard_tiles.tile_id = requested.tile_id and dashboard_id = ${dashboardId}`.execute(db);
};
