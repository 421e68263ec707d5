import type { Page } from "@telltale/contract/call/paging";
import {
  AlertClass,
  type AlertRow,
  AlertStatus,
  AlertType,
  type NotificationRow,
} from "@telltale/contract/domains/alerts";
import { sql } from "kysely";
import type { Scope } from "../../access/index.ts";
import { countLimit, offsetOf, type PageRequest, pageOf } from "../../platform/database/paging.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { type AlertFilter, type Alerts, alertsInScope, byPriority, filteredAlerts, notSilenced } from "./filter.ts";
import { alertOwners, newestOfOwners, type Owners, shownName } from "./newest-of-owners.ts";

/** Alerts restricted by their own fields and by their owners. */
interface Choice {
  entries: Alerts;
  owners: readonly Owners[];
}

const chosen = async (db: Database, scope: Scope, filter: AlertFilter): Promise<Choice> => ({
  entries: filteredAlerts(db, scope, filter),
  owners: await alertOwners(db, scope, filter),
});

/** Counts the alerts up to `limit`; see `countLimit`. */
const countUpTo = async (db: Database, { entries, owners }: Choice, limit: number): Promise<number> => {
  const { count } = await db
    .selectFrom(newestOfOwners(db, entries, owners, limit).select("alerts.alert_id").limit(limit).as("counted"))
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
};

/** Name of the account that has the alert. */
const assignedName = sql<string | null>`(
  select ${shownName} from accounts join users on users.user_id = accounts.user_id where accounts.account_id = alerts.assigned_to)`;

/** End of the silence of an alert that stands. */
export const silentUntil = sql<Date | null>`(
  select s.end_time from silences s where s.rule_key = alerts.rule_key and s.ended_time is null and alerts.cleared_time is null)`;

/** Name of who confirmed it: the user's, or that of a contact. */
const acceptName = sql<string | null>`coalesce(${shownName}, alerts.accepted_name)`;

/** Adds the names that lists show to a query's few alerts. */
export const withNames = (db: Database, few: Alerts) =>
  db
    .selectFrom(few.selectAll("alerts").as("alerts"))
    .innerJoin("devices", "devices.device_id", "alerts.device_id")
    .leftJoin("channels", "channels.channel_id", "alerts.channel_id")
    .leftJoin("accounts", "accounts.account_id", "alerts.accepted_by")
    .leftJoin("users", "users.user_id", "accounts.user_id")
    .selectAll("alerts")
    .select(["devices.device_name", "devices.device_sn_id", "channels.channel_name"])
    .select([acceptName.as("accept_name"), assignedName.as("assigned_name"), silentUntil.as("silent_until")]);

/** The newest alerts with their names. Names are joined after the limit, to few rows. */
const newest = (db: Database, { entries, owners }: Choice, limit: number, offset = 0) =>
  withNames(
    db,
    newestOfOwners(db, entries, owners, offset + limit)
      .orderBy("alerts.created_time", "desc")
      .orderBy("alerts.alert_id", "desc")
      .limit(limit)
      .offset(offset),
  )
    .orderBy("alerts.created_time", "desc")
    .orderBy("alerts.alert_id", "desc");

export type NamedAlert = Awaited<ReturnType<ReturnType<typeof withNames>["execute"]>>[number];

/** An alert as lists show it. */
export const alertRow = (alert: NamedAlert): AlertRow => ({
  alarmLogId: alert.alert_id,
  // One occurrence is one entry, so it is its own group.
  alarmLogGroupId: alert.alert_id,
  status: alert.status,
  alarmClass: alert.alarm_class,
  alarmType: alert.alarm_type,
  deviceChannelId: alert.channel_id,
  channelName: alert.channel_name,
  deviceName: alert.device_name,
  deviceSnId: alert.device_sn_id,
  deviceId: alert.device_id,
  value: alert.value,
  valueUnit: alert.value_unit,
  threshold: alert.threshold,
  interval: alert.report_interval,
  createdTime: alert.created_time,
  acceptTime: alert.accept_time,
  modifiedTime: alert.cleared_time,
  acceptName: alert.accept_name,
  msg: alert.msg,
  alarmName: alert.alarm_name,
  priority: alert.priority,
  receivedTime: alert.received_time,
  peak: alert.peak,
  assignedName: alert.assigned_name,
  silentUntil: alert.silent_until,
});

const notificationRow = (alert: NamedAlert): NotificationRow => ({
  alarmLogId: alert.alert_id,
  alarmLogGroupId: alert.alert_id,
  status: alert.status,
  deviceId: alert.device_id,
  deviceName: alert.device_name,
  deviceSnId: alert.device_sn_id,
  msg: alert.msg,
  createdTime: alert.created_time,
  acceptTime: alert.accept_time,
  acceptBy: alert.accept_name,
});

const pageOfLog = async (db: Database, scope: Scope, filter: AlertFilter, page: PageRequest) => {
  const choice = await chosen(db, scope, filter);
  const [rows, total] = await Promise.all([
    newest(db, choice, page.size, offsetOf(page)).execute(),
    countUpTo(db, choice, countLimit(page)),
  ]);
  return { rows, total };
};

/** A page of the alerts that match the filter, newest first. */
export const alertLog = async (
  db: Database,
  scope: Scope,
  filter: AlertFilter & PageRequest,
): Promise<Page<AlertRow>> => {
  const { rows, total } = await pageOfLog(db, scope, filter, filter);
  return pageOf(rows.map(alertRow), total, filter);
};

const notifications = { alarmClass: [AlertClass.notification] };

/** Maps the filter of notifications: their `modify…` fields mean the confirmation time. (spec 1 §2, §7) */
const ofNotifications = ({ modifyStartTime, modifyEndTime, ...filter }: AlertFilter): AlertFilter => ({
  ...filter,
  ...notifications,
  ...(modifyStartTime ? { confirmStartTime: modifyStartTime } : {}),
  ...(modifyEndTime ? { confirmEndTime: modifyEndTime } : {}),
});

/** A page of device notifications, newest first. */
export const notificationLog = async (
  db: Database,
  scope: Scope,
  filter: AlertFilter & PageRequest,
): Promise<Page<NotificationRow>> => {
  const { rows, total } = await pageOfLog(db, scope, ofNotifications(filter), filter);
  return pageOf(rows.map(notificationRow), total, filter);
};

/** The newest notifications, for the strip above the alert log. */
export const newestNotifications = async (db: Database, scope: Scope, limit: number): Promise<NotificationRow[]> =>
  (await newest(db, await chosen(db, scope, notifications), limit).execute()).map(notificationRow);

/**
 * Triggered alerts that need a person's attention: of the equipment, or of the system (offline, low battery), and not silenced. By priority, then newest first.
 */
export const unconfirmedAlerts = async (
  db: Database,
  scope: Scope,
  { limit, now }: { limit: number; now: Date },
): Promise<AlertRow[]> => {
  const entries = alertsInScope(db, scope)
    .$call(notSilenced(now))
    .where("alerts.status", "=", AlertStatus.triggered)
    .where(({ eb, or }) =>
      or([eb("alerts.alarm_class", "<>", AlertClass.notification), eb("alerts.alarm_type", "=", AlertType.system)]),
    );
  return (await withNames(db, byPriority(entries).limit(limit)).$call(byPriority).execute()).map(alertRow);
};
