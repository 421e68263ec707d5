import type { ChannelSettings, ChannelValue } from "@telltale/contract/channels";
import { devicesInScope, type Scope } from "../devices/scope-queries.ts";
import { hasLiveValues } from "../devices/status-queries.ts";
import type { Database } from "../world.ts";
import { type ListedChannel, shownStatus } from "./rules.ts";

/** Channels that the account may see, with the settings in force. */
const channelsInScope = (db: Database, scope: Scope) =>
  devicesInScope(db, scope)
    .innerJoin("channels", "channels.device_id", "devices.device_id")
    .innerJoin("settings_periods as period", (join) =>
      join.onRef("period.channel_id", "=", "channels.channel_id").on("period.end_time", "is", null),
    )
    .select(["channels.channel_id", "channels.channel_name", "channels.channel_cn", "channels.channel_type"])
    .select(["channels.group_name", "channels.channel_switch", "devices.device_id", "devices.device_name"])
    .select((eb) => eb.ref("period.settings").$castTo<ChannelSettings>().as("settings"));

/** A device's channels in their order. */
export const channelsOfDevice = async (db: Database, scope: Scope, deviceId: number): Promise<ListedChannel[]> => {
  const rows = await channelsInScope(db, scope)
    .where("devices.device_id", "=", deviceId)
    .orderBy("channels.position")
    .orderBy("channels.channel_id")
    .execute();
  return rows.map((row) => ({
    deviceChannelId: row.channel_id,
    channelName: row.channel_name,
    channelCn: row.channel_cn,
    channelType: row.channel_type,
    channelAnalogId: row.settings.analogId,
    unit: row.settings.unit,
    channelSwitch: row.channel_switch ? 1 : 0,
    groupName: row.group_name,
  }));
};

/** Type and model of a device; undefined when it is not the account's to see. */
export const deviceKind = (db: Database, scope: Scope, deviceId: number) =>
  devicesInScope(db, scope)
    .where("devices.device_id", "=", deviceId)
    .select(["devices.device_type", "devices.type_id"])
    .executeTakeFirst();

/** A channel as a tile or the detail shows it. */
export interface ShownChannel extends ChannelValue {
  channelName: string;
  channelCn: string;
  deviceId: number;
  deviceName: string;
}

/** Current values of those of the channels that the account may see, in no order. */
export const channelValues = async (
  db: Database,
  scope: Scope,
  channelIds: readonly number[],
  now: Date,
): Promise<ShownChannel[]> => {
  const rows = await channelsInScope(db, scope)
    .leftJoin("latest", "latest.channel_id", "channels.channel_id")
    .where(({ eb }) => eb("channels.channel_id", "=", eb.fn.any(eb.val(channelIds as number[]))))
    .select(["latest.ts", "latest.value", "latest.status"])
    .select(hasLiveValues(now).as("has_live_values"))
    .execute();
  return rows.map((row) => ({
    deviceChannelId: row.channel_id,
    channelName: row.channel_name,
    channelCn: row.channel_cn,
    channelType: row.channel_type,
    channelAnalogId: row.settings.analogId,
    unit: row.settings.unit,
    deviceId: row.device_id,
    deviceName: row.device_name,
    value: row.value,
    status: shownStatus(row.status === null ? undefined : { status: row.status }, row.has_live_values),
    updateTime: row.ts === null ? null : new Date(row.ts),
  }));
};
