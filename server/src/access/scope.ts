import { Role } from "@telltale/contract/permissions";
import type { Database } from "../platform/database/schema/schema.ts";

/** What an account may see: the whole plant or, for a viewer, the devices of its dashboard. A `Caller` is a scope. (decisions §1) */
export interface Scope {
  plantId: number;
  roleType: number;
  /** The dashboard assigned to the account; null means the plant's default. */
  dashboardId: number | null;
}

/** Whether the account sees only a part of its plant. */
export const isLimited = ({ roleType }: Scope): boolean => roleType === Role.viewer;

/**
 * Query for the account's dashboard: the assigned one, or the plant's default if none is assigned or it was deleted. No row when there is neither.
 */
export const ownDashboard = (db: Database, { plantId, dashboardId }: Scope) =>
  db
    .selectFrom("dashboards")
    .where("dashboards.plant_id", "=", plantId)
    .where(({ eb, or }) =>
      or([eb("dashboards.is_default", "=", true), eb("dashboards.dashboard_id", "=", dashboardId ?? -1)]),
    )
    .orderBy(({ eb }) => eb("dashboards.dashboard_id", "=", dashboardId ?? -1), "desc")
    .limit(1)
    .select("dashboards.dashboard_id");

/** Devices that a tile of the account's own dashboard shows: by a channel, a group or as a whole. */
const onOwnDashboard = (db: Database, scope: Scope) =>
  db
    .selectFrom("dashboard_tiles as tile")
    .leftJoin("channels as shown", "shown.channel_id", "tile.channel_id")
    .leftJoin("dashboard_groups as grouped", "grouped.group_id", "tile.group_id")
    .where("tile.dashboard_id", "=", ownDashboard(db, scope))
    .select(({ fn }) => fn.coalesce("tile.device_id", "shown.device_id", "grouped.device_id").as("device_id"));

/** Query for the devices that the account may see; every query of devices, channels, alerts and readings must be limited by it. */
export const devicesInScope = (db: Database, scope: Scope) =>
  db
    .selectFrom("devices")
    .where("devices.plant_id", "=", scope.plantId)
    .$if(isLimited(scope), (query) => query.where("devices.device_id", "in", onOwnDashboard(db, scope)));

/** Whether the account may see the device. */
export const isDeviceInScope = async (db: Database, scope: Scope, deviceId: number): Promise<boolean> =>
  (await devicesInScope(db, scope)
    .where("devices.device_id", "=", deviceId)
    .select("devices.device_id")
    .executeTakeFirst()) !== undefined;

/** Whether the account may see each of the channels. */
export const areChannelsInScope = async (
  db: Database,
  scope: Scope,
  channelIds: readonly number[],
): Promise<boolean> => {
  const wanted = [...new Set(channelIds)];
  const { count } = await devicesInScope(db, scope)
    .innerJoin("channels", "channels.device_id", "devices.device_id")
    .where(({ eb }) => eb("channels.channel_id", "=", eb.fn.any(eb.val(wanted))))
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count === wanted.length;
};
