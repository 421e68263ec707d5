import { type ChannelSettings, ReadingStatus } from "@telltale/contract/domains/channels";
import { sql } from "kysely";
import type { Database } from "../../../platform/database/schema/schema.ts";

/** Locks the device's settings until the transaction ends. */
export const lockSettings = async (db: Database, deviceId: number): Promise<void> => {
  await db
    .insertInto("device_settings")
    .values({ device_id: deviceId })
    .onConflict((conflict) => conflict.column("device_id").doNothing())
    .execute();
  await db.selectFrom("device_settings").select("version").where("device_id", "=", deviceId).forUpdate().execute();
};

/**
 * Raises the version of what is sent to a device, for a change of channel settings or report interval: pending until the device confirms it. Returns
 * the version. Call in the transaction of the change.
 */
export const raiseSettingsVersion = async (
  db: Database,
  { deviceId, userId, now }: { deviceId: number; userId: number; now: Date },
): Promise<number> => {
  const { version } = await db
    .insertInto("device_settings")
    .values({ device_id: deviceId, version: 2, saved_time: now, saved_by: userId })
    .onConflict((conflict) =>
      conflict
        .column("device_id")
        .doUpdateSet({ version: sql<number>`device_settings.version + 1`, saved_time: now, saved_by: userId }),
    )
    .returning("version")
    .executeTakeFirstOrThrow();
  return version;
};

/** New settings of a channel. */
export interface NewSettings {
  channelId: number;
  settings: ChannelSettings;
  /** The version of the save; see `raiseSettingsVersion`. */
  version: number;
}

/**
 * Ends the current settings period and starts a new one. A period lasts at least a millisecond: the second of two saves within one millisecond starts
 * at the next, so that each reading belongs to one period.
 */
export const beginPeriod = async (
  db: Database,
  { channelId, settings, version }: NewSettings,
  now: Date,
): Promise<void> => {
  const { end_time } = await db
    .updateTable("settings_periods")
    .set({ end_time: sql<Date>`greatest(${now}::timestamptz, start_time + interval '1 millisecond')` })
    .where("channel_id", "=", channelId)
    .where("end_time", "is", null)
    .returning(sql<Date>`end_time`.as("end_time"))
    .executeTakeFirstOrThrow();
  await db
    .insertInto("settings_periods")
    .values({ channel_id: channelId, start_time: end_time, settings: JSON.stringify(settings), version })
    .execute();
};

/** Changes name and switch of a channel. */
export const changeChannel = async (
  db: Database,
  channelId: number,
  changed: { channel_name?: string; channel_switch?: boolean },
): Promise<void> => {
  await db.updateTable("channels").set(changed).where("channel_id", "=", channelId).execute();
};

/** Shows the newest readings as no data until the next reading: they are not comparable under the new settings, or the channel is off. */
export const forgetNewest = async (db: Database, channelIds: readonly number[]): Promise<void> => {
  if (channelIds.length === 0) return;
  await db
    .updateTable("latest")
    .set({ status: ReadingStatus.noData })
    .where(sql<boolean>`channel_id = any(${channelIds}::int[])`)
    .execute();
};

/** Custom alarms of these channels. */
export const customAlarms = (db: Database, channelIds: readonly number[]) =>
  db
    .selectFrom("alarms")
    .select(["alarm_name", "channel_id", "condition", "type", "alarm_value", "alarm_hysteresis", "times_within"])
    .select(["gate_channel_id", "gate_type", "gate_value"])
    .where(sql<boolean>`(channel_id = any(${channelIds}::int[]) or gate_channel_id = any(${channelIds}::int[]))`)
    .orderBy("alarm_id")
    .execute();
