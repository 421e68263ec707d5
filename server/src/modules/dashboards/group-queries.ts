import type { DashboardGroup } from "@telltale/contract/domains/dashboard/dashboards";
import { sql } from "kysely";
import { when } from "../../platform/database/paging.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { creatorName } from "./configuration-queries.ts";

const channelIds = sql<number[]>`array(
  select channel_id from dashboard_group_channels m
   where m.group_id = dashboard_groups.group_id order by m.position, m.channel_id)`;

const groupsOf = (db: Database, plantId: number) =>
  db
    .selectFrom("dashboard_groups")
    .innerJoin("devices", "devices.device_id", "dashboard_groups.device_id")
    .where("dashboard_groups.plant_id", "=", plantId)
    .select(["dashboard_groups.group_id", "dashboard_groups.name", "dashboard_groups.icon"])
    .select(["dashboard_groups.device_id", "devices.device_name", "dashboard_groups.modified_time"])
    .select(["dashboard_groups.version", creatorName.as("creator"), channelIds.as("channel_ids")]);

type Found = Awaited<ReturnType<ReturnType<typeof groupsOf>["executeTakeFirstOrThrow"]>>;

const rowOf = (group: Found): DashboardGroup => ({
  dashboardGroupId: group.group_id,
  groupName: group.name,
  icon: group.icon,
  deviceId: group.device_id,
  deviceName: group.device_name,
  deviceChannelIds: group.channel_ids,
  createdBy: group.creator,
  modifiedTime: group.modified_time,
  version: group.version,
});

/** The plant's groups by name, of one device or all. */
export const dashboardGroups = async (
  db: Database,
  plantId: number,
  deviceId: number | undefined,
): Promise<DashboardGroup[]> => {
  const rows = await groupsOf(db, plantId)
    .$call(when(deviceId, (query, deviceId) => query.where("dashboard_groups.device_id", "=", deviceId)))
    .orderBy("dashboard_groups.name")
    .orderBy("dashboard_groups.group_id")
    .execute();
  return rows.map(rowOf);
};

/** A group of the plant; undefined when the id is unknown. */
export const dashboardGroup = async (
  db: Database,
  plantId: number,
  groupId: number,
): Promise<DashboardGroup | undefined> => {
  const row = await groupsOf(db, plantId).where("dashboard_groups.group_id", "=", groupId).executeTakeFirst();
  return row && rowOf(row);
};

/** The model of a device of the plant. */
export const modelOf = async (db: Database, plantId: number, deviceId: number): Promise<number | undefined> =>
  (
    await db
      .selectFrom("devices")
      .select("type_id")
      .where("plant_id", "=", plantId)
      .where("device_id", "=", deviceId)
      .executeTakeFirst()
  )?.type_id;

/** Device ids by channel, for channels of this plant; others are left out. */
export const devicesOfChannels = async (
  db: Database,
  plantId: number,
  channels: readonly number[],
): Promise<Map<number, number>> => {
  const rows = await db
    .selectFrom("channels")
    .innerJoin("devices", "devices.device_id", "channels.device_id")
    .where("devices.plant_id", "=", plantId)
    .where(({ eb }) => eb("channels.channel_id", "=", eb.fn.any(eb.val([...channels]))))
    .select(["channels.channel_id", "channels.device_id"])
    .execute();
  return new Map(rows.map((row) => [row.channel_id, row.device_id]));
};

/** Sets the channels of a group, in this order. */
export const fillGroup = async (db: Database, group_id: number, channels: readonly number[]): Promise<void> => {
  await db.deleteFrom("dashboard_group_channels").where("group_id", "=", group_id).execute();
  const rows = channels.map((channel_id, position) => ({ group_id, channel_id, position }));
  await db.insertInto("dashboard_group_channels").values(rows).execute();
};

/** Deletes a group with its tiles and raises the versions of the dashboards that showed it. */
export const deleteGroup = async (db: Database, groupId: number, now: Date): Promise<void> => {
  await sql`
    update dashboards set version = version + 1, modified_time = ${now}
     where dashboard_id in (select dashboard_id from dashboard_tiles where group_id = ${groupId})`.execute(db);
  await db.deleteFrom("dashboard_groups").where("group_id", "=", groupId).execute();
};
