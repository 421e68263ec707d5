import type { ChannelSettings } from "@telltale/contract/domains/channels";
import type { ReportIntervals } from "@telltale/contract/domains/devices";
import { sql } from "kysely";
import type { Database } from "../../../platform/database/schema/schema.ts";
import { beginPeriod, raiseSettingsVersion } from "../../channels/index.ts";

/** Sets the report interval; an unchanged value is not reported more often than a changed one. (spec 2 §5) */
const withInterval = (settings: ChannelSettings, reportInterval: number): ChannelSettings => ({
  ...settings,
  reportInterval,
  ...(settings.staticData !== undefined && { staticData: Math.max(settings.staticData, reportInterval) }),
});

/** Shortest and longest report interval in seconds of the channels that are on; null when none is. */
export const intervalsInForce = async (db: Database, deviceId: number): Promise<ReportIntervals> => {
  const interval = sql<number>`(period.settings->>'reportInterval')::int`;
  const { least, most } = await db
    .selectFrom("channels")
    .innerJoin("settings_periods as period", "period.channel_id", "channels.channel_id")
    .where("channels.device_id", "=", deviceId)
    .where("channels.channel_switch", "=", true)
    .where("period.end_time", "is", null)
    .select(({ fn }) => [fn.min(interval).as("least"), fn.max(interval).as("most")])
    .executeTakeFirstOrThrow();
  return least === null ? null : { least, most };
};

interface NewInterval {
  deviceId: number;
  userId: number;
  /** Seconds. */
  reportInterval: number;
  now: Date;
}

/**
 * Sets the report interval of every channel of a device; changed channels start a new settings period. The device has to confirm it, like any change
 * of settings.
 */
export const setChannelIntervals = async (db: Database, changed: NewInterval): Promise<void> => {
  const { deviceId, userId, reportInterval, now } = changed;
  const version = await raiseSettingsVersion(db, { deviceId, userId, now });
  const inForce = await db
    .selectFrom("settings_periods as period")
    .innerJoin("channels", "channels.channel_id", "period.channel_id")
    .where("channels.device_id", "=", deviceId)
    .where("period.end_time", "is", null)
    .select(["period.channel_id", "period.settings"])
    .orderBy("period.channel_id")
    .execute();
  for (const { channel_id: channelId, settings } of inForce) {
    if (settings.reportInterval === reportInterval) continue;
    await beginPeriod(db, { channelId, settings: withInterval(settings, reportInterval), version }, now);
  }
};
