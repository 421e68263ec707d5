import { AlertClass, firstOutWithin } from "@telltale/contract/domains/alerts";
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

interface Around {
  families: readonly number[];
  times: readonly number[];
  /** How far from these times, milliseconds. */
  reach: number;
}

/**
 * Alerts of these families in the scope, around these times. By time and not device by device: a master may have hundreds of sub-devices,
 * and the minutes of a page of the log are one stretch.
 */
const neighboursOf = async (db: Database, scope: Scope, { families, times, reach }: Around) => {
  const stretches = minutesAround(times, reach);
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
      .select(["alerts.alert_id", "alerts.created_time", "alerts.rule_key", "alerts.device_id"])
      .select([familyOf.as("family"), nameOf.as("name")])
      .execute()
  );
};

const isCompared = ({ alarm_class }: Placed): boolean => alarm_class !== AlertClass.notification;

const familiesOf = async (db: Database, scope: Scope, rows: readonly Placed[], reach = firstOutWithin) => {
  const compared = rows.filter(isCompared);
  if (compared.length === 0) return new Map<number, (FamilyAlert & { deviceId: number })[]>();
  const families = [...new Set(compared.map(({ family }) => family))];
  const times = compared.map(({ created_time }) => created_time.getTime());
  const found = await neighboursOf(db, scope, { families, times, reach });
  const alerts = found
    .map(({ family, ...row }) => ({
      family,
      deviceId: row.device_id,
      alertId: row.alert_id,
      at: row.created_time.getTime(),
      ruleKey: row.rule_key,
      name: row.name,
    }))
    .sort(byTime);
  return Map.groupBy(alerts, ({ family }): number => family);
};

type PlaceOf = (alert: Placed) => FirstOut;

const placesIn =
  (families: ReadonlyMap<number, readonly FamilyAlert[]>): PlaceOf =>
  (alert) => {
    const { family, alert_id: alertId, created_time: created } = alert;
    const alerts = isCompared(alert) ? families.get(family) : undefined;
    return alerts ? firstOutOf(alerts, alertId, created.getTime()) : alone;
  };

/** The place of each of these alerts among those of its family that the account may see, by its id; notifications have none. */
export const firstOuts = async (db: Database, scope: Scope, rows: readonly Placed[]): Promise<PlaceOf> =>
  placesIn(await familiesOf(db, scope, rows));

/** The others of a family around some of its alerts. */
export interface Relatives {
  /** The places of those within a minute of one of the alerts, which it may have changed. */
  places: (FirstOut & { alarmLogId: number })[];
  /** Devices with alerts that any of the places depends on. */
  deviceIds: number[];
}

/** `firstOuts`, and the alerts' relatives by their families. */
export const firstOutsAround = async (
  db: Database,
  scope: Scope,
  rows: readonly Placed[],
): Promise<{ placeOf: PlaceOf; relatives: ReadonlyMap<number, Relatives> }> => {
  // Those within a minute have places that depend on what is within a minute of them.
  const families = await familiesOf(db, scope, rows, 2 * firstOutWithin);
  const own = new Set(rows.map(({ alert_id }) => alert_id));
  const times = Map.groupBy(rows.filter(isCompared), ({ family }) => family);
  const relatives = new Map<number, Relatives>();
  for (const [family, alerts] of families) {
    const near = minutesAround(times.get(family)?.map(({ created_time }) => created_time.getTime()) ?? []);
    const others = alerts.filter(
      ({ alertId, at }) => !own.has(alertId) && near.some(({ from, to }) => at >= from && at <= to),
    );
    relatives.set(family, {
      places: others.map(({ alertId, at }) => ({ alarmLogId: alertId, ...firstOutOf(alerts, alertId, at) })),
      deviceIds: [...new Set(alerts.map(({ deviceId }) => deviceId))],
    });
  }
  return { placeOf: placesIn(families), relatives };
};
