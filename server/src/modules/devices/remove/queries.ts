import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../../platform/database/schema/schema.ts";
import type { LockedDevice } from "../configure/change-queries.ts";

/** Number of a device's sub-devices. */
export const subDeviceCount = async (db: Database, deviceId: number): Promise<number> => {
  const { count } = await db
    .selectFrom("devices")
    .where("parent_device_id", "=", deviceId)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
};

/** Whether the device was announced by its serial number and no unit has registered as it. */
export const isExpected = async (db: Database, deviceId: number): Promise<boolean> => {
  const announced = db.selectFrom("provisioned_devices").select("device_id").where("device_id", "=", deviceId);
  return (await announced.where("key_id", "is", null).executeTakeFirst()) !== undefined;
};

const channelsOf = (deviceId: number): RawBuilder<unknown> =>
  sql`(select channel_id from channels where device_id = ${deviceId})`;

/** Raises the version of dashboards that show the device: users who are editing one have not seen its removal. */
const touchDashboards = (db: Database, deviceId: number) =>
  sql`update dashboards set version = version + 1 where dashboard_id in (
        select t.dashboard_id from dashboard_tiles t left join dashboard_groups g using (group_id)
         where t.device_id = ${deviceId} or g.device_id = ${deviceId} or t.channel_id in ${channelsOf(deviceId)})`.execute(
    db,
  );

/**
 * Removes a device from the plant's configuration: tiles, groups, alarms, joint controls, watchlists, downloads. These are small; the background job
 * removes the rest.
 */
const forgetConfiguration = async (db: Database, deviceId: number): Promise<void> => {
  const channels = channelsOf(deviceId);
  await touchDashboards(db, deviceId);
  for (const statement of [
    sql`delete from dashboard_tiles where device_id = ${deviceId} or channel_id in ${channels}`,
    sql`delete from dashboard_group_channels where channel_id in ${channels}`,
    sql`delete from dashboard_groups where device_id = ${deviceId}`,
    sql`delete from joint_rules where source_channel_id in ${channels} or output_channel_id in ${channels}`,
    sql`delete from watched_channels where channel_id in ${channels}`,
    sql`delete from alarms where device_id = ${deviceId}`,
    sql`delete from silences where device_id = ${deviceId}`,
    sql`delete from silence_devices where device_id = ${deviceId}`,
    sql`delete from downloads where device_id = ${deviceId}`,
  ])
    await statement.execute(db);
};

/** Gives the row a random token and device ID: the unit's own move to its new row. */
const detach = (db: Database, deviceId: number) =>
  db
    .updateTable("devices")
    .set({
      plant_id: null,
      parent_device_id: null,
      modbus_address: null,
      is_online: false,
      is_disabled: true,
      device_sn_id: `deleted ${deviceId}`,
      access_token: sql<string>`'deleted ' || gen_random_uuid()`,
    })
    .where("device_id", "=", deviceId)
    .execute();

/**
 * Removes a locked device from its plant at once, and leaves its stored data to the background job. Its device ID and token are free after the
 * commit. Touches nothing that grows with the device's age.
 */
export const detachDevice = async (db: Database, device: LockedDevice, now: Date): Promise<void> => {
  const { device_id: deviceId, plant_id: plantId } = device;
  if (plantId === null) throw new Error(`Device ${deviceId} belongs to no plant`);
  await forgetConfiguration(db, deviceId);
  await detach(db, deviceId);
  await db
    .insertInto("deleted_devices")
    .values({ device_id: deviceId, plant_id: plantId, deleted_time: now })
    .execute();
};
