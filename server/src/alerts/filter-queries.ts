import type { alerts } from "@telltale/contract/alerts";
import type { Input } from "@telltale/contract/call";
import { type SelectQueryBuilder, sql } from "kysely";
import { containing } from "../database/paging.ts";
import type { Schema } from "../database/schema.ts";
import { devicesInScope, isLimited, type Scope } from "../devices/scope-queries.ts";
import type { Database } from "../world.ts";

/** Filters of the alert log; every other list of alerts takes some of them. */
export type AlertFilter = Partial<Input<typeof alerts.log>> & { deviceChannelId?: number; deviceId?: number };

type Alerts = SelectQueryBuilder<Schema, "alerts", unknown>;
type TimeColumn = "created_time" | "accept_time" | "cleared_time";

const between = (query: Alerts, column: TimeColumn, from?: Date, to?: Date): Alerts =>
  query
    .$if(from !== undefined, (q) => q.where(`alerts.${column}`, ">=", from as Date))
    .$if(to !== undefined, (q) => q.where(`alerts.${column}`, "<=", to as Date));

/** Compared as int: the columns are smaller, and PostgreSQL refuses a number that does not fit them. */
const oneOf = (query: Alerts, column: "status" | "alarm_class" | "alarm_type", values?: number[]): Alerts =>
  values?.length ? query.where(sql<boolean>`${sql.ref(`alerts.${column}`)} = any(${values}::int[])`) : query;

const ofDevicesLike = (db: Database, query: Alerts, plantId: number, filter: AlertFilter): Alerts => {
  const { deviceName, deviceSnId } = filter;
  if (!deviceName && !deviceSnId) return query;
  const devices = db
    .selectFrom("devices")
    .select("devices.device_id")
    .where("devices.plant_id", "=", plantId)
    .$if(!!deviceName, (q) => q.where("devices.device_name", "ilike", containing(deviceName ?? "")))
    .$if(!!deviceSnId, (q) => q.where("devices.device_sn_id", "ilike", containing(deviceSnId ?? "")));
  return query.where("alerts.device_id", "in", devices);
};

const ofChannelsLike = (db: Database, query: Alerts, plantId: number, channelName?: string): Alerts => {
  if (!channelName) return query;
  const channels = db
    .selectFrom("channels")
    .innerJoin("devices", "devices.device_id", "channels.device_id")
    .select("channels.channel_id")
    .where("devices.plant_id", "=", plantId)
    .where("channels.channel_name", "ilike", containing(channelName));
  return query.where("alerts.channel_id", "in", channels);
};

/** Confirmed by somebody whose e-mail or name is like `email`. */
const confirmedByLike = (db: Database, query: Alerts, plantId: number, email?: string): Alerts => {
  if (!email) return query;
  const accounts = db
    .selectFrom("accounts")
    .innerJoin("users", "users.user_id", "accounts.user_id")
    .select("accounts.account_id")
    .where("accounts.plant_id", "=", plantId)
    .where(({ eb, or, fn, val }) =>
      or([
        eb("users.email", "ilike", containing(email)),
        eb(fn("concat_ws", [val(" "), "users.first_name", "users.last_name"]), "ilike", containing(email)),
      ]),
    );
  return query.where("alerts.accepted_by", "in", accounts);
};

/** The entries the account may see. */
export const alertsInScope = (db: Database, scope: Scope): Alerts =>
  db
    .selectFrom("alerts")
    .where("alerts.plant_id", "=", scope.plantId)
    .$if(isLimited(scope), (q) =>
      q.where("alerts.device_id", "in", devicesInScope(db, scope).select("devices.device_id")),
    );

/** The entries the account may see and the filter asks for, in no order yet. An empty list or text filters nothing. */
export const filteredAlerts = (db: Database, scope: Scope, filter: AlertFilter): Alerts => {
  let query = alertsInScope(db, scope);
  query = oneOf(query, "status", filter.status);
  query = oneOf(query, "alarm_class", filter.alarmClass);
  query = oneOf(query, "alarm_type", filter.alarmType);
  query = between(query, "created_time", filter.createdStartTime, filter.createdEndTime);
  query = between(query, "accept_time", filter.confirmStartTime, filter.confirmEndTime);
  query = between(query, "cleared_time", filter.modifyStartTime, filter.modifyEndTime);
  query = ofDevicesLike(db, query, scope.plantId, filter);
  query = ofChannelsLike(db, query, scope.plantId, filter.channelName);
  query = confirmedByLike(db, query, scope.plantId, filter.email);
  const { interval, deviceChannelId, deviceId } = filter;
  return query
    .$if(interval !== undefined, (q) => q.where("alerts.report_interval", "=", interval as number))
    .$if(deviceChannelId !== undefined, (q) => q.where("alerts.channel_id", "=", deviceChannelId as number))
    .$if(deviceId !== undefined, (q) => q.where("alerts.device_id", "=", deviceId as number));
};
