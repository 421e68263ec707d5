import type { ChannelSettings } from "@telltale/contract/domains/channels";
import { sql } from "kysely";
import { devicesInScope, type Scope, userNameIn } from "../../../access/index.ts";
import type { Database } from "../../../platform/database/schema/schema.ts";

/** SQL: version of a device's settings, to compare with the confirmed one. */
const version = sql<number>`coalesce(saved.version, 1)`;

/** A device with the state of its settings; undefined when it is not in the account's scope. */
export const settingsOfDevice = (db: Database, scope: Scope, deviceId: number) =>
  devicesInScope(db, scope)
    .leftJoin("device_settings as saved", "saved.device_id", "devices.device_id")
    .leftJoin("users", "users.user_id", "saved.saved_by")
    .where("devices.device_id", "=", deviceId)
    .select([
      "devices.device_id",
      "devices.device_sn_id",
      "devices.device_name",
      "devices.device_type",
      "devices.type_id",
    ])
    .select(["devices.report_interval_default", "devices.report_interval_limit"])
    .select(["saved.saved_time", "saved.confirmed_version", "saved.confirmed_time"])
    .select(version.as("version"))
    .select(userNameIn("users").as("saved_by"))
    .executeTakeFirst();

export type DeviceSettingsRow = NonNullable<Awaited<ReturnType<typeof settingsOfDevice>>>;

/** SQL: id of the channel that drives a digital output of a row of `devices`, `channels` and settings `period`; null without one. */
const sourceId = sql<number | null>`(
  select source.channel_id from devices as unit join channels as source on source.device_id = unit.device_id
   where unit.device_sn_id = coalesce(period.settings->>'sourceDevice', devices.device_sn_id) and unit.plant_id = devices.plant_id
     and source.channel_cn = period.settings->>'source')`;

/** A device's channels in order, with their current settings and the version of those. */
export const channelsWithSettings = (db: Database, scope: Scope, deviceId: number) =>
  devicesInScope(db, scope)
    .innerJoin("channels", "channels.device_id", "devices.device_id")
    .innerJoin("settings_periods as period", (join) =>
      join.onRef("period.channel_id", "=", "channels.channel_id").on("period.end_time", "is", null),
    )
    .where("devices.device_id", "=", deviceId)
    .select(["channels.channel_id", "channels.channel_name", "channels.channel_cn", "channels.channel_type"])
    .select(["channels.channel_switch", "period.start_time", "period.version"])
    .select((eb) => eb.ref("period.settings").$castTo<ChannelSettings>().as("settings"))
    .select(sourceId.as("source_id"))
    .orderBy("channels.position")
    .orderBy("channels.channel_id")
    .execute();

export type ChannelWithSettings = Awaited<ReturnType<typeof channelsWithSettings>>[number];

/** The device of a channel; undefined when it is not in the account's scope. */
export const deviceOfChannel = async (db: Database, scope: Scope, channelId: number): Promise<number | undefined> =>
  (
    await devicesInScope(db, scope)
      .innerJoin("channels", "channels.device_id", "devices.device_id")
      .where("channels.channel_id", "=", channelId)
      .select("devices.device_id")
      .executeTakeFirst()
  )?.device_id;
