import type { AlarmChannel, GateChannel } from "@telltale/contract/domains/alarms";
import { AlarmCondition } from "@telltale/contract/domains/alerting/conditions";
import type { ChannelSettings } from "@telltale/contract/domains/channels";
import { sql } from "kysely";
import { notify } from "../../platform/bus/device-notices.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { alarmRange, isOneFamily } from "../rules/channel.rules.ts";

/** The plant's channels with their current settings. */
const channelsOf = (db: Database, plantId: number) =>
  db
    .selectFrom("channels as c")
    .innerJoin("devices as d", "d.device_id", "c.device_id")
    .innerJoin("settings_periods as p", (join) =>
      join.onRef("p.channel_id", "=", "c.channel_id").on("p.end_time", "is", null),
    )
    .where("d.plant_id", "=", plantId)
    .select(["c.channel_id", "c.channel_name", "c.channel_cn", "c.channel_type", "d.device_id", "d.device_name"])
    .select((eb) => eb.ref("p.settings").$castTo<ChannelSettings>().as("settings"));

/** Only those of the device and its family: its master and that one's other sub-devices. */
const inFamilyOf = (query: ReturnType<typeof channelsOf>, deviceId: number): ReturnType<typeof channelsOf> =>
  query
    .innerJoin("devices as o", (join) => join.on(sql<boolean>`${sql.raw(isOneFamily("d", "o"))}`))
    .where("o.device_id", "=", deviceId);

/** Whether the plant has this device. */
export const isPlantsDevice = async (db: Database, plantId: number, deviceId: number): Promise<boolean> =>
  (await db
    .selectFrom("devices")
    .where("plant_id", "=", plantId)
    .where("device_id", "=", deviceId)
    .select("device_id")
    .executeTakeFirst()) !== undefined;

/** The range within which alarms can watch a channel of this device; undefined when there is no such channel. */
export const channelOfDevice = async (db: Database, plantId: number, deviceId: number, channelId: number) => {
  const row = await channelsOf(db, plantId)
    .where("d.device_id", "=", deviceId)
    .where("c.channel_id", "=", channelId)
    .executeTakeFirst();
  return row && alarmRange(row.channel_type, row.settings);
};

/** The device and range of a channel that can be the gate of this device's alarms; undefined when there is no such channel in its family. */
export const gateOfDevice = async (db: Database, plantId: number, deviceId: number, channelId: number) => {
  const row = await inFamilyOf(channelsOf(db, plantId), deviceId)
    .where("c.channel_id", "=", channelId)
    .executeTakeFirst();
  return row && { deviceId: row.device_id, range: alarmRange(row.channel_type, row.settings) };
};

/** Whether an alarm that is switched on tells of sensor faults of the channel. */
export const isFaultWatched = async (db: Database, channelId: number): Promise<boolean> =>
  (await db
    .selectFrom("alarms")
    .where("channel_id", "=", channelId)
    .where("condition", "=", AlarmCondition.fault)
    .where("is_enabled", "=", true)
    .select("alarm_id")
    .executeTakeFirst()) !== undefined;

/**
 * Has servers load other devices again whose alarms depend on a channel of this one, because whether it counts has changed: see `customAlarm`. Call in the
 * transaction of the change.
 */
export const reloadGated = async (db: Database, plantId: number, deviceId: number): Promise<void> => {
  const gated = await db
    .selectFrom("alarms as a")
    .innerJoin("channels as g", "g.channel_id", "a.gate_channel_id")
    .where("g.device_id", "=", deviceId)
    .where("a.device_id", "<>", deviceId)
    .select("a.device_id")
    .distinct()
    .execute();
  for (const { device_id } of gated) await notify(db, { plantId, deviceId: device_id });
};

type ChannelRow = Awaited<ReturnType<ReturnType<typeof channelsOf>["execute"]>>[number];

const shown = (row: ChannelRow): AlarmChannel => ({
  deviceChannelId: row.channel_id,
  channelName: row.channel_name,
  channelCn: row.channel_cn,
  channelAnalogId: row.settings.analogId,
  unit: row.settings.unit,
  ...alarmRange(row.channel_type, row.settings),
});

/** The device's channels in order, with their value ranges. */
export const alarmChannels = async (db: Database, plantId: number, deviceId: number): Promise<AlarmChannel[]> => {
  const query = channelsOf(db, plantId).where("d.device_id", "=", deviceId);
  return (await query.orderBy("c.position").orderBy("c.channel_id").execute()).map(shown);
};

/** The channels of the device and its family, its own first. */
export const gateChannels = async (db: Database, plantId: number, deviceId: number): Promise<GateChannel[]> => {
  const rows = await inFamilyOf(channelsOf(db, plantId), deviceId)
    .orderBy(sql`d.device_id <> ${deviceId}`)
    .orderBy("d.device_name")
    .orderBy("d.device_id")
    .orderBy("c.position")
    .orderBy("c.channel_id")
    .execute();
  return rows.map((row) => ({ ...shown(row), deviceId: row.device_id, deviceName: row.device_name }));
};
