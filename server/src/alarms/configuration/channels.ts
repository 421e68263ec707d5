import type { AlarmChannel } from "@telltale/contract/domains/alarms";
import type { ChannelSettings } from "@telltale/contract/domains/channels";
import type { Database } from "../../platform/database/schema/schema.ts";
import { alarmRange } from "../rules/channel.rules.ts";

/** The device's channels with their current settings. */
const channelsOf = (db: Database, plantId: number, deviceId: number) =>
  db
    .selectFrom("channels as c")
    .innerJoin("devices as d", "d.device_id", "c.device_id")
    .innerJoin("settings_periods as p", (join) =>
      join.onRef("p.channel_id", "=", "c.channel_id").on("p.end_time", "is", null),
    )
    .where("d.plant_id", "=", plantId)
    .where("d.device_id", "=", deviceId)
    .select(["c.channel_id", "c.channel_name", "c.channel_cn", "c.channel_type"])
    .select((eb) => eb.ref("p.settings").$castTo<ChannelSettings>().as("settings"));

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
  const row = await channelsOf(db, plantId, deviceId).where("c.channel_id", "=", channelId).executeTakeFirst();
  return row && alarmRange(row.channel_type, row.settings);
};

/** The device's channels in order, with their value ranges. */
export const alarmChannels = async (db: Database, plantId: number, deviceId: number): Promise<AlarmChannel[]> => {
  const rows = await channelsOf(db, plantId, deviceId).orderBy("c.position").orderBy("c.channel_id").execute();
  return rows.map((row) => ({
    deviceChannelId: row.channel_id,
    channelName: row.channel_name,
    channelCn: row.channel_cn,
    channelAnalogId: row.settings.analogId,
    unit: row.settings.unit,
    ...alarmRange(row.channel_type, row.settings),
  }));
};
