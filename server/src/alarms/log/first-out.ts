import { AlertClass } from "@telltale/contract/domains/alerts";
import { sql } from "kysely";
import type { Scope } from "../../access/index.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { alertsInScope } from "./filter.ts";
import { alone, byTime, type FamilyAlert, type FirstOut, firstOutOf, minutesAround } from "./first-out.rules.ts";

/** What is known of an alert whose place is asked for. */
interface Placed {
  alert_id: number;
  created_time: Date;
  alarm_class: number;
  /** The master of its device, or the device itself. */
  family: number;
}

/** The master of a device, or the device itself. */
const familyOf = sql<number>`coalesce(devices.parent_device_id, devices.device_id)`;

/** What an alert is called: its rule, its channel or its device. */
const nameOf = sql<string>`case when alerts.alarm_class = ${AlertClass.custom} and alerts.alarm_name <> '' then alerts.alarm_name
  else coalesce(channels.channel_name, devices.device_name) end`;

/**
 * Alerts of these families in the scope, within a minute of these times. By time and not device by device: a master may have hundreds of sub-devices,
 * and the minutes of a page of the log are one stretch.
 */
const neighboursOf = async (db: Database, scope: Scope, families: readonly number[], times: readonly number[]) => {
  const stretches = minutesAround(times);
  const [from, to] = [stretches.map((each) => new Date(each.from)), stretches.map((each) => new Date(each.to))];
  return (
    db
      .selectFrom(
        sql`unnest(${from}::timestamptz[], ${to}::timestamptz[])`.as<"stretch">(sql`stretch(from_time, to_time)`),
      )
      .innerJoinLateral(
        alertsInScope(db, scope)
          .where("alerts.alarm_class", "<>", AlertClass.notification)
          .where(sql<boolean>`alerts.created_time between stretch.from_time and stretch.to_time`)
          .select([
            "alerts.alert_id",
            "alerts.created_time",
            "alerts.rule_key",
            "alerts.device_id",
            "alerts.channel_id",
          ])
          .select(["alerts.alarm_class", "alerts.alarm_name"])
          .as("alerts"),
        (join) => join.onTrue(),
      )
      // Looked up one by one: how many alerts a minute has is not known in advance, and the plan for very many reads all devices and channels.
      .innerJoinLateral(
        (eb) =>
          eb
            .selectFrom("devices")
            .whereRef("devices.device_id", "=", "alerts.device_id")
            .select(["devices.device_id", "devices.parent_device_id", "devices.device_name"])
            .limit(1)
            .as("devices"),
        (join) => join.onTrue(),
      )
      .leftJoinLateral(
        (eb) =>
          eb
            .selectFrom("channels")
            .whereRef("channels.channel_id", "=", "alerts.channel_id")
            .select("channels.channel_name")
            .limit(1)
            .as("channels"),
        (join) => join.onTrue(),
      )
      .where(sql<boolean>`${familyOf} = any(${families}::int[])`)
      .select(["alerts.alert_id", "alerts.created_time", "alerts.rule_key"])
      .select([familyOf.as("family"), nameOf.as("name")])
      .execute()
  );
};

const familiesOf = async (db: Database, scope: Scope, rows: readonly Placed[]) => {
  const families = [...new Set(rows.map(({ family }) => family))];
  const found = await neighboursOf(
    db,
    scope,
    families,
    rows.map(({ created_time }) => created_time.getTime()),
  );
  const alerts = found
    .map(({ family, ...row }) => ({
      family,
      alertId: row.alert_id,
      at: row.created_time.getTime(),
      ruleKey: row.rule_key,
      name: row.name,
    }))
    .sort(byTime);
  return Map.groupBy(alerts, ({ family }): number => family) satisfies Map<number, FamilyAlert[]>;
};

/** The place of each of these alerts among those of its family that the account may see, by its id; notifications have none. */
export const firstOuts = async (
  db: Database,
  scope: Scope,
  rows: readonly Placed[],
): Promise<(alert: Placed) => FirstOut> => {
  const compared = rows.filter(({ alarm_class }) => alarm_class !== AlertClass.notification);
  const families = compared.length > 0 ? await familiesOf(db, scope, compared) : undefined;
  return ({ family, alert_id: alertId, created_time: created }) => {
    const alerts = families?.get(family);
    return alerts ? firstOutOf(alerts, alertId, created.getTime()) : alone;
  };
};
