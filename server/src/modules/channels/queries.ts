import type {
  ChannelInfo,
  ChannelRow,
  ChannelSettings,
  ChannelValue,
  ShownSetting,
} from "@telltale/contract/domains/channels";
import type { ModbusRegister } from "@telltale/contract/domains/modbus";
import { sql } from "kysely";
import { devicesInScope, hasLiveValues, type Scope } from "../../access/index.ts";
import { runIn } from "../../platform/database/runner.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { newestReadings } from "../../readings/index.ts";
import { hasOwnLimit, type ListedChannel, reportWithinOf, shownStatus } from "./rules.ts";
import { sourceName } from "./settings/output-sources.ts";
import { shownSettings } from "./settings/shown-settings.rules.ts";

/** Channels in the account's scope, with their current settings. */
export const channelsInScope = (db: Database, scope: Scope) =>
  devicesInScope(db, scope)
    .innerJoin("channels", "channels.device_id", "devices.device_id")
    .innerJoin("settings_periods as period", (join) =>
      join.onRef("period.channel_id", "=", "channels.channel_id").on("period.end_time", "is", null),
    )
    .select(["channels.channel_id", "channels.channel_name", "channels.channel_cn", "channels.channel_type"])
    .select(["channels.group_name", "channels.channel_switch", "devices.device_id", "devices.device_name"])
    .select((eb) => eb.ref("period.settings").$castTo<ChannelSettings>().as("settings"));

type ChannelRecord = Awaited<ReturnType<ReturnType<typeof channelsInScope>["executeTakeFirstOrThrow"]>>;

/** A channel as it is listed. */
export const listed = (row: ChannelRecord): ChannelRow => ({
  deviceChannelId: row.channel_id,
  channelName: row.channel_name,
  channelCn: row.channel_cn,
  channelType: row.channel_type,
  channelAnalogId: row.settings.analogId,
  unit: row.settings.unit,
  channelSwitch: row.channel_switch ? 1 : 0,
});

/** SQL: the settings that a channel of `channelsInScope` was made with. */
const madeWith = sql<ChannelSettings>`(
  select earliest.settings from settings_periods as earliest
   where earliest.channel_id = channels.channel_id order by earliest.start_time limit 1)`;

/** A device's channels in order, with their current settings. */
export const channelInfos = async (db: Database, scope: Scope, deviceId: number): Promise<ChannelInfo[]> => {
  const rows = await channelsInScope(db, scope)
    .where("devices.device_id", "=", deviceId)
    .orderBy("channels.position")
    .orderBy("channels.channel_id")
    .select([sourceName.as("source_name"), madeWith.as("made_with")])
    .execute();
  return rows.map((row) => ({
    ...listed(row),
    hasOwnLimit: hasOwnLimit(row.channel_type, row.settings, row.made_with),
    settings: shownSettings(row.channel_type, row.settings, row.source_name),
  }));
};

/** Type and model of a device; undefined when it is not in the account's scope. */
export const deviceKind = (db: Database, scope: Scope, deviceId: number) =>
  devicesInScope(db, scope)
    .where("devices.device_id", "=", deviceId)
    .select(["devices.device_type", "devices.type_id"])
    .executeTakeFirst();

/** A channel as shown by a tile or the detail page. */
export interface ShownChannel extends ChannelValue {
  channelName: string;
  channelCn: string;
  deviceId: number;
  deviceName: string;
  settings: ChannelSettings;
  /** Whether its device is heard, so that its values are current. */
  isLive: boolean;
}

/** SQL: since when a channel of `channelsInScope` has had its unit; null where it has had no other. Its readings from before are in another one. */
export const unitSince = sql<Date | null>`(
  select max(earlier.end_time) from settings_periods as earlier
   where earlier.channel_id = channels.channel_id and earlier.settings->>'unit' is distinct from period.settings->>'unit')`;

const valuesInScope = (db: Database, scope: Scope, now: Date) =>
  channelsInScope(db, scope).select(hasLiveValues(now).as("has_live_values"));

/** Adds their newest readings to rows of `valuesInScope`, with their current status. */
const withReadings = async <R extends { channel_id: number; has_live_values: boolean }>(
  db: Database,
  rows: readonly R[],
): Promise<(R & { reading: Pick<ChannelValue, "value" | "status" | "updateTime"> })[]> => {
  const newest = await newestReadings(
    runIn(db),
    rows.map((row) => row.channel_id),
  );
  return rows.map((row) => {
    const found = newest.get(row.channel_id);
    const status = shownStatus(found, row.has_live_values);
    return {
      ...row,
      reading: { value: found?.value ?? null, status, updateTime: found ? new Date(found.ts) : null },
    };
  });
};

const valuesOfDevice = async (db: Database, scope: Scope, deviceId: number, now: Date) =>
  withReadings(
    db,
    await valuesInScope(db, scope, now)
      .where("devices.device_id", "=", deviceId)
      .orderBy("channels.position")
      .orderBy("channels.channel_id")
      .execute(),
  );

/** A device's channels in order, with their newest readings. */
export const channelsOfDevice = async (
  db: Database,
  scope: Scope,
  deviceId: number,
  now: Date,
): Promise<ListedChannel[]> =>
  (await valuesOfDevice(db, scope, deviceId, now)).map((row) => ({
    ...listed(row),
    ...row.reading,
    age: row.reading.updateTime && now.getTime() - row.reading.updateTime.getTime(),
    reportWithin: reportWithinOf(row.settings),
    groupName: row.group_name,
  }));

/** Current values of those of the channels in the account's scope, unordered. */
export const channelValues = async (
  db: Database,
  scope: Scope,
  channelIds: readonly number[],
  now: Date,
): Promise<ShownChannel[]> => {
  const rows = await valuesInScope(db, scope, now)
    .where(({ eb }) => eb("channels.channel_id", "=", eb.fn.any(eb.val([...channelIds]))))
    .execute();
  return (await withReadings(db, rows)).map((row) => ({
    deviceChannelId: row.channel_id,
    channelName: row.channel_name,
    channelCn: row.channel_cn,
    channelType: row.channel_type,
    channelAnalogId: row.settings.analogId,
    unit: row.settings.unit,
    deviceId: row.device_id,
    deviceName: row.device_name,
    settings: row.settings,
    isLive: row.has_live_values,
    ...row.reading,
  }));
};

/** A register of a modbus device with its newest value and current settings. */
export interface ReadRegister extends ModbusRegister {
  groupName: string;
  settings: ShownSetting[];
}

/** The registers of a modbus device in order. */
export const registersOfDevice = async (
  db: Database,
  scope: Scope,
  deviceId: number,
  now: Date,
): Promise<ReadRegister[]> =>
  (await valuesOfDevice(db, scope, deviceId, now)).map((row) => ({
    deviceChannelId: row.channel_id,
    keywords: row.channel_cn,
    unit: row.settings.unit,
    ...row.reading,
    groupName: row.group_name,
    settings: shownSettings(row.channel_type, row.settings),
  }));
