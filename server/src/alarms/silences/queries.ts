import { systemClasses } from "@telltale/contract/domains/alarms";
import type { AlertInfo } from "@telltale/contract/domains/alerting/entries";
import { longestSilence, type Silence, SilenceKind } from "@telltale/contract/domains/alerting/silences";
import { AlertClass, AlertPriority } from "@telltale/contract/domains/alerts";
import { type RawBuilder, sql } from "kysely";
import { devicesInScope, isLimited, type Scope, userNameIn } from "../../access/index.ts";
import { isSilenced, joinRule } from "../../notify/index.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { customKey } from "../rules/channel.rules.ts";

const byName = sql<string | null>`(
  select ${userNameIn("users")} from accounts join users on users.user_id = accounts.user_id where accounts.account_id = s.created_by)`;
/** The alert that stands meanwhile. */
const standing = sql<number | null>`(
  select a.alert_id from alerts a where a.rule_key = s.rule_key and a.cleared_time is null)`;

/** The kinds that people make. */
const peoplesKinds = [SilenceKind.shelf, SilenceKind.outOfService, SilenceKind.maintenance] as const;
const isOf = (kind: SilenceKind): kind is Silence["kind"] => peoplesKinds.some((each) => each === kind);

/** The devices of each of these silences that the account sees, by name. */
const devicesOf = async (db: Database, scope: Scope, silenceIds: readonly number[]) => {
  const ofWindows = db.selectFrom("silence_devices").select(["silence_id", "device_id"]);
  const ofRules = db
    .selectFrom("silences")
    .where("device_id", "is not", null)
    .select("silence_id")
    .select(({ ref }) => ref("device_id").$notNull().as("device_id"));
  const rows = await db
    .selectFrom(ofWindows.unionAll(ofRules).as("w"))
    .innerJoin("devices as d", "d.device_id", "w.device_id")
    .where(sql<boolean>`w.silence_id = any(${silenceIds}::int[])`)
    .where("d.device_id", "in", devicesInScope(db, scope).select("devices.device_id"))
    .orderBy("d.device_name")
    .orderBy("d.device_id")
    .select(["w.silence_id", "d.device_id", "d.device_name", "d.device_sn_id"])
    .execute();
  return Map.groupBy(rows, (row) => row.silence_id);
};

/**
 * What people have silenced and what is planned, the next to end first. A viewer sees those of its devices; the others also windows whose devices are
 * all gone.
 */
export const listedSilences = async (db: Database, scope: Scope, now: Date): Promise<Silence[]> => {
  const rows = await db
    .selectFrom("silences as s")
    .where("s.plant_id", "=", scope.plantId)
    .where("s.ended_time", "is", null)
    .where("s.end_time", ">", now)
    .where("s.kind", "in", [...peoplesKinds])
    .orderBy("s.end_time")
    .orderBy("s.silence_id")
    .selectAll("s")
    .select([byName.as("by_name"), standing.as("alert_id")])
    .execute();
  const devices = await devicesOf(
    db,
    scope,
    rows.map((row) => row.silence_id),
  );
  return rows.flatMap((row) => {
    const ofIt = devices.get(row.silence_id) ?? [];
    const { kind } = row;
    if (!isOf(kind) || (ofIt.length === 0 && (isLimited(scope) || row.plan === null))) return [];
    return {
      silenceId: row.silence_id,
      kind,
      alarmName: row.alarm_name,
      priority: row.priority,
      devices: ofIt.map((d) => ({ deviceId: d.device_id, deviceName: d.device_name, deviceSnId: d.device_sn_id })),
      reason: row.reason,
      byName: row.by_name,
      createdTime: row.created_time,
      startTime: row.start_time ?? row.created_time,
      endTime: row.end_time,
      plan: row.plan,
      alarmLogId: row.alert_id,
      version: row.version,
    };
  });
};

interface SilenceRow {
  alert_id: number;
  silence_id: number;
  kind: SilenceKind;
  reason: string;
  by_name: string | null;
  end_time: Date | null;
}

/** Of what silences each of these alerts at `now`, a person's before the server's own, that which ends last; by the alerts' ids. */
export const silencesOf = async (
  db: Database,
  alertIds: readonly number[],
  now: Date,
): Promise<ReadonlyMap<number, NonNullable<AlertInfo["silence"]>>> => {
  if (alertIds.length === 0) return new Map();
  const { rows } = await sql<SilenceRow>`
    select distinct on (a.alert_id) a.alert_id, s.silence_id, s.kind, s.reason, ${byName} as by_name, nullif(s.end_time, 'infinity') as end_time
      from alerts a join silences s on s.plant_id = a.plant_id and s.ended_time is null and s.end_time > ${now}
       and (s.rule_key = a.rule_key
            or (s.start_time <= ${now} and exists (select from silence_devices w where w.silence_id = s.silence_id and w.device_id = a.device_id)))
     where a.alert_id = any(${[...alertIds]}::bigint[])
     order by a.alert_id, s.kind = ${SilenceKind.silentMaster}, s.end_time desc`.execute(db);
  return new Map(
    rows.map((row) => [
      row.alert_id,
      {
        ...{ silenceId: row.silence_id, kind: row.kind, reason: row.reason },
        ...{ byName: row.by_name, endTime: row.end_time },
      },
    ]),
  );
};

/** The priority that a rule gives its next alerts; undefined where there is no rule any more. `r`: an alert, or what stands for one. */
const rulesPriority = sql`(select a.priority from (select 1) as one ${sql.raw(joinRule)})`;

/** What an alert's silence is made of. Its priority is the alert's or the rule's, whichever is more urgent: the rule is what is silenced. */
export const alertToSilence = (db: Database, alertId: number) =>
  db
    .selectFrom("alerts as r")
    .innerJoin("devices as d", "d.device_id", "r.device_id")
    .leftJoin("channels as c", "c.channel_id", "r.channel_id")
    .leftJoin("alarms as m", "m.alarm_id", "r.alarm_id")
    .where("r.alert_id", "=", alertId)
    .select(["r.alarm_class", "m.alarm_id", "m.channel_id", "m.condition", "m.type"])
    .select(["r.rule_key", "r.device_id", "r.alarm_name", "r.msg", "c.channel_name", "d.device_name"])
    .select(sql<AlertPriority>`least(r.priority, ${rulesPriority})`.as("priority"))
    .executeTakeFirstOrThrow();

/** The more urgent of the priority of a silence and that of the rule's alert that stands. */
export const priorityOfSilenced = async (
  db: Database,
  { rule_key, priority }: { rule_key: string | null; priority: AlertPriority | null },
): Promise<AlertPriority> => {
  const { rows } = await sql<{ priority: AlertPriority }>`
    select least(${priority ?? AlertPriority.medium}::int,
                 (select a.priority from alerts a where a.rule_key = ${rule_key} and a.cleared_time is null)) as priority`.execute(
    db,
  );
  return rows[0]?.priority ?? AlertPriority.medium;
};

/** Whether the rule that raised an alert is there no more, or watches something else: a silence of it would be about nothing. */
export const isOfFormerRule = (alert: Awaited<ReturnType<typeof alertToSilence>>): boolean => {
  const { alarm_class, alarm_id: alarmId, channel_id, condition, type, rule_key } = alert;
  if (alarm_class !== AlertClass.custom) return false;
  if (alarmId === null || channel_id === null || condition === null) return true;
  return customKey(channel_id, { alarmId, condition, type }) !== rule_key;
};

/** Ends the silences of a custom alarm that is deleted, or that watches something else now: all but those of the rule `except`. */
export const endSilencesOf = async (db: Database, alarmId: number, now: Date, except = ""): Promise<void> => {
  await db
    .updateTable("silences")
    .set({ ended_time: now })
    .where("rule_key", "like", `${AlertClass.custom}:${alarmId}:%`)
    .where("rule_key", "<>", except)
    .where("ended_time", "is", null)
    .execute();
};

/** Gives these silences the priority of their rule: a shelf of what has become P1 lasts no longer than such a one may. */
const followPriority = async (
  db: Database,
  which: RawBuilder<boolean>,
  priority: AlertPriority,
  now: Date,
): Promise<void> => {
  const latest = new Date(now.getTime() + longestSilence(SilenceKind.shelf, priority) * 60_000);
  await db
    .updateTable("silences")
    .set({
      priority,
      end_time: sql<Date>`case when kind = ${SilenceKind.shelf} then least(end_time, ${latest}::timestamptz) else end_time end`,
      version: sql<number>`version + 1`,
    })
    .where(which)
    .where("kind", "<>", SilenceKind.silentMaster)
    .where("priority", "<>", priority)
    .where("ended_time", "is", null)
    .execute();
};

/**
 * Has the silences of a changed custom alarm follow it: those of what it does not watch any more end, and a shelf has the bounds of its priority. `key`: of
 * its rule now; undefined where it is no custom alarm any more.
 */
export const followAlarm = async (
  db: Database,
  { alarmId, key, priority }: { alarmId: number; key: string | undefined; priority: AlertPriority | undefined },
  now: Date,
): Promise<void> => {
  await endSilencesOf(db, alarmId, now, key);
  if (key !== undefined && priority !== undefined) await followPriority(db, sql`rule_key = ${key}`, priority, now);
};

/** Alarms about a device's limits, or its events. */
interface AboutDevice {
  device_id: number;
  alarm_class: AlertClass;
}

/** Has the silences of devices' limits and events follow the alarms that give these their priority, after one of the alarms was added, changed or deleted. */
export const followAboutDevices = async (db: Database, alarms: readonly AboutDevice[], now: Date): Promise<void> => {
  for (const { device_id, alarm_class } of alarms) {
    if (!systemClasses.includes(alarm_class)) continue;
    const { rows } = await sql<{ priority: AlertPriority | null }>`
      select ${rulesPriority} as priority
        from (select null::int as alarm_id, plant_id, device_id, ${alarm_class}::int as alarm_class from devices where device_id = ${device_id}) as r`.execute(
      db,
    );
    const priority = rows[0]?.priority ?? AlertPriority.medium;
    const ofThem = sql<boolean>`device_id = ${device_id} and rule_key like ${`${alarm_class}:%`}`;
    await followPriority(db, ofThem, priority, now);
  }
};

/** What a silence is about: rules, or all rules of devices. */
export interface Silenced {
  ruleKeys: readonly string[];
  deviceIds: readonly number[];
}

/** Notes for the alerts that stand, of these rules and devices; that a silence has ended, for those that no other one holds. */
export const noteOnStanding = async (
  db: Database,
  { ruleKeys, deviceIds }: Silenced,
  event: { kind: "silenced" | "resumed" | "returned"; accountId: number | null; note: string; now: Date },
): Promise<void> => {
  const isSilent = sql<boolean>`${sql.raw(isSilenced(`'${event.now.toISOString()}'::timestamptz`))}`;
  await sql`
    insert into alert_events (alert_id, kind, account_id, note, created_time)
    select r.alert_id, ${event.kind}, ${event.accountId}::int, ${event.note}, ${event.now} from alerts r
     where (r.rule_key = any(${[...ruleKeys]}::text[]) or r.device_id = any(${[...deviceIds]}::int[])) and r.cleared_time is null
       and (${event.kind === "silenced"} or not ${isSilent})`.execute(db);
};
