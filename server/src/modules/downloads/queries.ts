import type { ChannelSettings } from "@telltale/contract/domains/channels";
import type { DownloadDevice } from "@telltale/contract/domains/readings/downloads";
import { devicesInScope, type Scope } from "../../access/index.ts";
import { containing } from "../../platform/database/paging.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import type { ExportedChannel } from "./export-rows.ts";

/** Most devices of one answer; more are found by a part of their name or ID. */
const offered = 200;

const downloadable = (db: Database, scope: Scope) =>
  devicesInScope(db, scope).select([
    "devices.device_id as deviceId",
    "devices.device_sn as deviceSn",
    "devices.device_sn_id as deviceSnId",
    "devices.device_name as deviceName",
    "devices.time_zone_id as timeZoneId",
  ]);

/** Devices to choose from, ordered by name. */
export const downloadDevices = (db: Database, scope: Scope, text?: string): Promise<DownloadDevice[]> =>
  downloadable(db, scope)
    .$if(!!text, (query) =>
      query.where(({ eb, or }) =>
        or([
          eb("devices.device_name", "ilike", containing(text ?? "")),
          eb("devices.device_sn_id", "ilike", containing(text ?? "")),
        ]),
      ),
    )
    .orderBy("devices.device_name")
    .orderBy("devices.device_id")
    .limit(offered)
    .execute();

/** One device; undefined when it is not in the account's scope. */
export const downloadDevice = (db: Database, scope: Scope, deviceId: number): Promise<DownloadDevice | undefined> =>
  downloadable(db, scope).where("devices.device_id", "=", deviceId).executeTakeFirst();

/** The channels of a device with the units of all their settings periods. */
export const exportedChannels = async (db: Database, deviceId: number): Promise<ExportedChannel[]> => {
  const rows = await db
    .selectFrom("channels")
    .leftJoin("settings_periods as period", "period.channel_id", "channels.channel_id")
    .where("channels.device_id", "=", deviceId)
    .orderBy("channels.position")
    .orderBy("channels.channel_id")
    .orderBy("period.start_time")
    .select(["channels.channel_id", "channels.channel_name", "channels.channel_cn", "period.start_time"])
    .select((eb) => eb.ref("period.settings").$castTo<ChannelSettings | null>().as("settings"))
    .execute();
  const channels = new Map<number, ExportedChannel>();
  for (const row of rows) {
    const { channel_id: channelId, channel_name: name, channel_cn: code, start_time, settings } = row;
    const channel = channels.get(channelId) ?? { channelId, name, code, units: [] };
    if (start_time && settings) channel.units.push({ from: start_time.getTime(), unit: settings.unit });
    channels.set(channelId, channel);
  }
  return [...channels.values()];
};
