import type { Input } from "@telltale/contract/call/call";
import { AlertClass, AlertType, type alerts } from "@telltale/contract/domains/alerts";
import { type SelectQueryBuilder, sql } from "kysely";
import { devicesInScope, isLimited, type Scope } from "../../access/index.ts";
import { when } from "../../platform/database/paging.ts";
import type { Database, Schema } from "../../platform/database/schema/schema.ts";
import { isSilenced, type SilencedAt } from "../silences/in-force.ts";

/** Filters of the alert log; other alert lists use some of them. */
export type AlertFilter = Partial<Input<typeof alerts.log>> & { deviceChannelId?: number; deviceId?: number };

export type Alerts = SelectQueryBuilder<Schema, "alerts", unknown>;
type TimeColumn = "created_time" | "accept_time" | "cleared_time";

const between = (query: Alerts, column: TimeColumn, from?: Date, to?: Date): Alerts =>
  query
    .$call(when(from, (q, from) => q.where(`alerts.${column}`, ">=", from)))
    .$call(when(to, (q, to) => q.where(`alerts.${column}`, "<=", to)))
    // An alert confirmed or cleared before `to` was also triggered before it, which lets the index on created_time be used.
    .$call(when(column === "created_time" ? undefined : to, (q, to) => q.where("alerts.created_time", "<=", to)));

/**
 * Compared as int: the columns are smaller, and PostgreSQL rejects a number that does not fit them. Equality with one value keeps an index's order.
 */
const oneOf = (query: Alerts, column: "status" | "alarm_class" | "alarm_type", values?: number[]): Alerts => {
  const [first, ...others] = values ?? [];
  if (first === undefined) return query;
  const ref = sql.ref(`alerts.${column}`);
  return query.where(
    others.length ? sql<boolean>`${ref} = any(${values}::int[])` : sql<boolean>`${ref} = ${first}::int`,
  );
};

/** The plant's alerts without those of deleted devices, which the background job may not have removed yet. The subquery runs once, not per row. */
const ofPlant = (db: Database, plantId: number): Alerts =>
  db
    .selectFrom("alerts")
    .where("alerts.plant_id", "=", plantId)
    .where(
      sql<boolean>`alerts.device_id <> all (array(select d.device_id from deleted_devices d where d.plant_id = ${plantId}))`,
    );

/** Query for the alerts in the account's scope. */
export const alertsInScope = (db: Database, scope: Scope): Alerts =>
  ofPlant(db, scope.plantId).$if(isLimited(scope), (q) =>
    q.where("alerts.device_id", "in", devicesInScope(db, scope).select("devices.device_id")),
  );

/** Narrows to alerts that were raised since then and ended before anybody confirmed them; not those raised while they were silenced. */
export const passed = (query: Alerts, since: Date): Alerts =>
  query
    .where("alerts.created_time", ">=", since)
    .where("alerts.cleared_time", "is not", null)
    .where("alerts.accept_time", "is", null)
    .where("alerts.was_silent", "=", false)
    .where("alerts.alarm_class", "<>", AlertClass.notification);

/** Narrows to what needs a person's attention: alerts of the equipment, or of the system (offline, low battery). */
export const needingAttention = (query: Alerts): Alerts =>
  query.where(({ eb, or }) =>
    or([eb("alerts.alarm_class", "<>", AlertClass.notification), eb("alerts.alarm_type", "=", AlertType.system)]),
  );

/** Leaves out alerts of which nobody is notified at that time. */
export const notSilenced =
  (db: Database, at: SilencedAt) =>
  (query: Alerts): Alerts =>
    query.where(sql<boolean>`not ${isSilenced(db, at)}`);

/** Orders alerts by priority, then newest first. */
export const byPriority = <T>(
  query: SelectQueryBuilder<Schema, "alerts", T>,
): SelectQueryBuilder<Schema, "alerts", T> =>
  query.orderBy("alerts.priority").orderBy("alerts.created_time", "desc").orderBy("alerts.alert_id", "desc");

/** The plant's alerts that match the filter's own fields, unordered. An empty list filters nothing. For filters by name see `alertOwners`. */
export const filteredAlerts = (db: Database, { plantId }: Scope, filter: AlertFilter): Alerts => {
  let query: Alerts = ofPlant(db, plantId);
  query = oneOf(query, "status", filter.status);
  query = oneOf(query, "alarm_class", filter.alarmClass);
  query = oneOf(query, "alarm_type", filter.alarmType);
  query = between(query, "created_time", filter.createdStartTime, filter.createdEndTime);
  query = between(query, "accept_time", filter.confirmStartTime, filter.confirmEndTime);
  query = between(query, "cleared_time", filter.modifyStartTime, filter.modifyEndTime);
  const { interval, deviceChannelId, deviceId, passedSince } = filter;
  return query
    .$call(when(passedSince, passed))
    .$call(when(interval, (q, interval) => q.where("alerts.report_interval", "=", interval)))
    .$call(when(deviceChannelId, (q, deviceChannelId) => q.where("alerts.channel_id", "=", deviceChannelId)))
    .$call(when(deviceId, (q, deviceId) => q.where("alerts.device_id", "=", deviceId)));
};
