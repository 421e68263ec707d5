import type { Silence } from "@telltale/contract/domains/alerting/silences";
import { AlertClass } from "@telltale/contract/domains/alerts";
import { sql } from "kysely";
import { devicesInScope, type Scope } from "../../access/index.ts";
import { when } from "../../platform/database/paging.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { shownName } from "../log/newest-of-owners.ts";

const byName = sql<string | null>`(
  select ${shownName} from accounts join users on users.user_id = accounts.user_id where accounts.account_id = s.created_by)`;
/** The alert that stands meanwhile. */
const standing = sql<number | null>`(
  select a.alert_id from alerts a where a.rule_key = s.rule_key and a.cleared_time is null)`;

/** Silences that hold, of the devices in the account's scope, the next to end first; of one rule or of all. */
export const silencesInForce = async (db: Database, scope: Scope, ruleKey?: string): Promise<Silence[]> => {
  const rows = await db
    .selectFrom("silences as s")
    .innerJoin("devices as d", "d.device_id", "s.device_id")
    .where("s.plant_id", "=", scope.plantId)
    .where("s.ended_time", "is", null)
    .$call(when(ruleKey, (q, key) => q.where("s.rule_key", "=", key)))
    .where("s.device_id", "in", devicesInScope(db, scope).select("devices.device_id"))
    .orderBy("s.end_time")
    .orderBy("s.silence_id")
    .selectAll("s")
    .select(["d.device_name", "d.device_sn_id", byName.as("by_name"), standing.as("alert_id")])
    .execute();
  return rows.map((row) => ({
    silenceId: row.silence_id,
    kind: row.kind,
    alarmName: row.alarm_name,
    priority: row.priority,
    deviceId: row.device_id,
    deviceName: row.device_name,
    deviceSnId: row.device_sn_id,
    reason: row.reason,
    byName: row.by_name,
    createdTime: row.created_time,
    endTime: row.end_time,
    alarmLogId: row.alert_id,
    version: row.version,
  }));
};

/** What an alert's silence is made of. */
export const alertToSilence = (db: Database, alertId: number) =>
  db
    .selectFrom("alerts as a")
    .innerJoin("devices as d", "d.device_id", "a.device_id")
    .leftJoin("channels as c", "c.channel_id", "a.channel_id")
    .where("a.alert_id", "=", alertId)
    .select(["a.rule_key", "a.device_id", "a.priority", "a.alarm_name", "a.msg", "c.channel_name", "d.device_name"])
    .executeTakeFirstOrThrow();

/** Ends the silences of a custom alarm that is deleted. */
export const endSilencesOf = async (db: Database, alarmId: number, now: Date): Promise<void> => {
  await db
    .updateTable("silences")
    .set({ ended_time: now })
    .where("rule_key", "like", `${AlertClass.custom}:${alarmId}:%`)
    .where("ended_time", "is", null)
    .execute();
};

/** Notes for the alert that stands by this rule, if one does. */
export const noteOnStanding = async (
  db: Database,
  ruleKeys: readonly string[],
  event: { kind: "silenced" | "resumed" | "returned"; accountId: number | null; note: string; now: Date },
): Promise<void> => {
  await sql`
    insert into alert_events (alert_id, kind, account_id, note, created_time)
    select alert_id, ${event.kind}, ${event.accountId}::int, ${event.note}, ${event.now} from alerts
     where rule_key = any(${[...ruleKeys]}::text[]) and cleared_time is null`.execute(db);
};
