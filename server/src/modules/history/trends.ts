import { AlarmCondition } from "@telltale/contract/domains/alerting/conditions";
import { AlertClass, AlertType } from "@telltale/contract/domains/alerts";
import { mostFound, type RuleLimit, type TrendChannel, type trends } from "@telltale/contract/domains/readings/trends";
import type { Scope } from "../../access/index.ts";
import { containing, when } from "../../platform/database/paging.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { notFound } from "../../platform/http/api-error.ts";
import type { Handlers } from "../../platform/http/mount.ts";
import type { World } from "../../world.ts";
import { channelsInScope, listed, sourceName } from "../channels/index.ts";
import { shownSettings } from "../channels/settings/shown-settings.rules.ts";

/** Channels in the account's scope; with a text, those whose name, or whose device's name, contains it. */
const found = (db: Database, scope: Scope, find?: string) =>
  channelsInScope(db, scope)
    .select(["devices.device_sn_id", "devices.time_zone_id"])
    .$call(
      when(find, (query, text) =>
        query.where(({ eb, or }) =>
          or([
            eb("channels.channel_name", "ilike", containing(text)),
            eb("devices.device_name", "ilike", containing(text)),
          ]),
        ),
      ),
    );

type Row = Awaited<ReturnType<ReturnType<typeof found>["executeTakeFirstOrThrow"]>>;

const trendChannel = (row: Row): TrendChannel => ({
  ...listed(row),
  deviceId: row.device_id,
  deviceName: row.device_name,
  deviceSnId: row.device_sn_id,
  timeZoneId: row.time_zone_id,
});

/** The limits of a channel's custom alerts, highest first; a switched-off alert has none. */
const ruleLimits = async (db: Database, { plantId }: Scope, channelId: number): Promise<RuleLimit[]> => {
  const rows = await db
    .selectFrom("alarms")
    .where("plant_id", "=", plantId)
    .where("channel_id", "=", channelId)
    .where("alarm_class", "=", AlertClass.custom)
    .where("condition", "=", AlarmCondition.limit)
    .where("is_enabled", "=", true)
    .orderBy("alarm_value", "desc")
    .orderBy("alarm_id")
    .select(["alarm_name", "type", "alarm_value"])
    .execute();
  return rows.flatMap(({ alarm_name: alarmName, type, alarm_value: alarmValue }) =>
    (type === AlertType.high || type === AlertType.low) && alarmValue !== null ? [{ alarmName, type, alarmValue }] : [],
  );
};

export const trendRoutes = ({ db }: Pick<World, "db">): Handlers<typeof trends> => ({
  find: async ({ find }, caller) => {
    const [rows, { total }] = await Promise.all([
      found(db, caller, find)
        .orderBy("devices.device_name")
        .orderBy("devices.device_id")
        .orderBy("channels.position")
        .orderBy("channels.channel_id")
        .limit(mostFound)
        .execute(),
      found(db, caller, find)
        .clearSelect()
        .select(({ fn }) => fn.countAll<number>().as("total"))
        .executeTakeFirstOrThrow(),
    ]);
    return { channels: rows.map(trendChannel), total };
  },
  channel: async ({ channelId }, caller) => {
    const [row, rules] = await Promise.all([
      found(db, caller)
        .where("channels.channel_id", "=", channelId)
        .select(sourceName.as("source_name"))
        .executeTakeFirst(),
      ruleLimits(db, caller, channelId),
    ]);
    if (!row) throw notFound();
    return { ...trendChannel(row), settings: shownSettings(row.channel_type, row.settings, row.source_name), rules };
  },
});
