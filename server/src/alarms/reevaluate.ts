import { type ChannelSettings, type ChannelType, ReadingStatus } from "@telltale/contract/domains/channels";
import { sql } from "kysely";
import { runIn } from "../platform/database/runner.ts";
import type { Database } from "../platform/database/schema/schema.ts";
import { mergeDevices, raiseVersions } from "../readings/index.ts";
import { endEscalations, wakeEscalations } from "./escalation/progress.ts";
import { clearIds } from "./lifecycle.ts";
import { forgetPhases, keepEnds, type RulesOf } from "./phases.ts";
import { type CustomAlarm, customAlarm } from "./rules/channel.rules.ts";
import { type End, endOf, type RuledChannel } from "./rules/ended.rules.ts";
import { isOfLimit, isOfReadings } from "./rules/rule-key.ts";

interface OpenAlert {
  alert_id: number;
  rule_key: string;
  threshold: number | null;
  is_ending: boolean;
}

interface ChannelRecord {
  channel_id: number;
  channel_type: ChannelType;
  settings: ChannelSettings;
  newest: RuledChannel["newest"] | null;
  custom: CustomAlarm[] | null;
  open: OpenAlert[] | null;
}

/**
 * Keeps readings of these channels' devices from being written until the transaction ends, and brings `latest` up to date. Readings that were
 * evaluated meanwhile are evaluated again afterwards.
 */
export const lockNewest = async (db: Database, channelIds: readonly number[]): Promise<void> => {
  const { rows } = await sql<{ device_id: number }>`
    select distinct device_id from channels where channel_id = any(${channelIds}::int[]) order by device_id`.execute(
    db,
  );
  const deviceIds = rows.map((row) => row.device_id);
  await raiseVersions(runIn(db), deviceIds);
  await mergeDevices(runIn(db), deviceIds);
};

/** Channels with their open alerts. A newest reading from before the current settings is left out. */
const channelsNow = async (db: Database, channelIds: readonly number[]): Promise<ChannelRecord[]> => {
  const { rows } = await sql<ChannelRecord>`
    select c.channel_id, c.channel_type, p.settings,
           (select json_build_object('ts', l.ts, 'value', l.value, 'status', l.status) from latest l
             where l.channel_id = c.channel_id and l.ts >= extract(epoch from p.start_time) * 1000) as newest,
           (select json_agg(${sql.raw(customAlarm)})
              from alarms a where a.channel_id = c.channel_id and a.is_enabled) as custom,
           (select json_agg(json_build_object('alert_id', e.alert_id, 'rule_key', e.rule_key, 'threshold', e.threshold,
                                              'is_ending', exists (select from alarm_phases w where w.rule_key = e.rule_key and not w.holds)))
              from alerts e where e.channel_id = c.channel_id and e.cleared_time is null) as open
      from channels c join settings_periods p on p.channel_id = c.channel_id and p.end_time is null
     where c.channel_id = any(${channelIds}::int[])`.execute(db);
  return rows;
};

interface Ended {
  alertId: number;
  key: string;
  channelId: number;
  end: NonNullable<End>;
}

/** A channel's alerts that have ended; those of the rules `over` have already, and only waited for a delay. */
const endedOf = (
  { channel_id, channel_type, settings, newest, custom, open }: ChannelRecord,
  over: ReadonlySet<string>,
): Ended[] => {
  const channel = { channelId: channel_id, channelType: channel_type, settings, custom: custom ?? [], newest };
  return (open ?? []).flatMap(({ alert_id: alertId, rule_key: key, threshold, is_ending: isEnding }) => {
    const end = endOf(channel, { key, threshold, isEnding }) ?? (over.has(key) ? "over" : undefined);
    return isOfReadings(key) && end ? [{ alertId, key, channelId: channel_id, end }] : [];
  });
};

/** Resets the newest reading's status to good where the channel has no open alert. */
const showAsGood = async (db: Database, channelIds: readonly number[]): Promise<void> => {
  await db
    .updateTable("latest")
    .set({ status: ReadingStatus.good })
    .where(sql<boolean>`channel_id = any(${channelIds}::int[])`)
    .where("status", "=", ReadingStatus.alarm)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("alerts")
            .select("alert_id")
            .whereRef("alerts.channel_id", "=", "latest.channel_id")
            .where("cleared_time", "is", null),
        ),
      ),
    )
    .execute();
};

/**
 * Clears open alerts of these channels that no rule justifies any more: the rule or limit is gone, watches something else, or has moved beyond the
 * newest reading. The `changed` rules begin anew, and what they only kept open for a delay ends; others go on to wait. Devices of the channels `gates`
 * are kept from being written, too. Call in the transaction that changes alarms or settings, after the change and before its notice. The log keeps the
 * entries. Whoever was notified is notified of what is over; not where the rule is gone, whose condition may still hold. What a concurrent batch still
 * raises by the old rules, the next reading clears.
 */
export const reevaluate = async (
  db: Database,
  channelIds: readonly number[],
  now: Date,
  { changed = [], gates = [] }: { changed?: readonly RulesOf[]; gates?: readonly number[] } = {},
): Promise<void> => {
  await lockNewest(db, [...channelIds, ...gates]);
  const over = new Set<string>();
  for (const rules of changed) for (const key of await forgetPhases(db, rules)) over.add(key);
  const ended = (await channelsNow(db, channelIds)).flatMap((channel) => endedOf(channel, over));
  const idsOf = (end: Ended["end"]) => ended.filter((each) => each.end === end).map(({ alertId }) => alertId);
  await clearIds(db, idsOf("over"), now, wakeEscalations);
  await clearIds(db, idsOf("noRule"), now, endEscalations);
  await keepEnds(
    db,
    ended.filter(({ key }) => isOfLimit(key)),
    now,
  );
  await showAsGood(db, channelIds);
};
