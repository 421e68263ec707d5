import { channelTypes } from "@telltale/contract/channel-types/index";
import type { ChannelSettings } from "@telltale/contract/domains/channels";
import { sql } from "kysely";
import { devicesInScope, type Scope } from "../../../access/index.ts";
import type { Database } from "../../../platform/database/schema/schema.ts";

/** Types of channels whose alarms may drive an output. */
const driving = Object.values(channelTypes).flatMap(({ type, drives }) => (drives ? [type] : []));

/** SQL: name of the channel whose alarm drives the digital output of a row of `devices`, `channels` and settings `period`; null without one. */
export const sourceName = sql<string | null>`(
  select source.channel_name from devices as unit join channels as source on source.device_id = unit.device_id
   where unit.device_sn_id = coalesce(period.settings->>'sourceDevice', devices.device_sn_id) and unit.plant_id = devices.plant_id
     and source.channel_cn = period.settings->>'source')`;

/** Inputs whose alarms may drive an output of the device: its own, then its master's, in the account's scope. */
export const inputsForOutputs = (db: Database, scope: Scope, deviceId: number) =>
  devicesInScope(db, scope)
    .innerJoin("channels", "channels.device_id", "devices.device_id")
    .innerJoin("settings_periods as period", (join) =>
      join.onRef("period.channel_id", "=", "channels.channel_id").on("period.end_time", "is", null),
    )
    .where(({ eb, or, selectFrom }) =>
      or([
        eb("devices.device_id", "=", deviceId),
        eb(
          "devices.device_id",
          "=",
          selectFrom("devices as unit").where("unit.device_id", "=", deviceId).select("unit.parent_device_id"),
        ),
      ]),
    )
    .where("channels.channel_type", "in", driving)
    .select(["channels.channel_id", "channels.channel_name", "channels.channel_cn", "channels.channel_type"])
    .select(["devices.device_sn_id", "devices.device_name"])
    .select((eb) => eb.ref("period.settings").$castTo<ChannelSettings>().as("settings"))
    .orderBy(({ eb }) => eb("devices.device_id", "=", deviceId), "desc")
    .orderBy("channels.position")
    .orderBy("channels.channel_id")
    .execute();

export type OutputInput = Awaited<ReturnType<typeof inputsForOutputs>>[number];
