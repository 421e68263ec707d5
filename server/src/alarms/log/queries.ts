import type { Page } from "@telltale/contract/call/paging";
import {
  AlertClass,
  type AlertRow,
  AlertStatus,
  type ConfirmedAlert,
  type LoggedAlert,
  type NotificationRow,
} from "@telltale/contract/domains/alerts";
import { Analog } from "@telltale/contract/domains/channels";
import { sql } from "kysely";
import type { Scope } from "../../access/index.ts";
import { userNameIn } from "../../access/index.ts";
import { countLimit, offsetOf, type PageRequest, pageOf } from "../../platform/database/paging.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { isOfRate } from "../rules/rule-key.ts";
import { devicesInMaintenance, type SilencedAt, silencedRules } from "../silences/in-force.ts";
import {
  type AlertFilter,
  type Alerts,
  alertsInScope,
  byPriority,
  filteredAlerts,
  needingAttention,
  notSilenced,
} from "./filter.ts";
import { firstOuts } from "./first-out.ts";
import { alertOwners, newestOfOwners, type Owners } from "./newest-of-owners.ts";

/** Alerts restricted by their own fields and by their owners. */
interface Choice {
  entries: Alerts;
  owners: readonly Owners[];
  at: SilencedAt;
}

/** Whose alerts, which, and at what time. */
interface Request {
  scope: Scope;
  filter: AlertFilter;
  now: Date;
}

const chosen = async (db: Database, { scope, filter, now }: Request): Promise<Choice> => ({
  entries: filteredAlerts(db, scope, filter),
  owners: await alertOwners(db, scope, filter),
  at: { plantId: scope.plantId, now },
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
  select ${userNameIn("users")} from accounts join users on users.user_id = accounts.user_id where accounts.account_id = alerts.assigned_to)`;

/** The silence of an alert that stands; it ends at infinity while a silent master is silent. */
const isSilent = sql<boolean>`(alerts.cleared_time is null and (silent_rules.until is not null or silent_devices.until is not null))`;
const silentUntil = sql<Date | null>`(
  case when alerts.cleared_time is null then nullif(greatest(silent_rules.until, silent_devices.until), 'infinity') end)`;

/** Name of who confirmed it: the user's, or that of a contact. */
const acceptName = sql<string | null>`coalesce(${userNameIn("users")}, alerts.accepted_name)`;

/** Whether the alert's channel is a contact. */
const isSwitch = sql<boolean>`exists (
  select from settings_periods p where p.channel_id = alerts.channel_id and p.end_time is null
     and (p.settings->>'analogId')::int in (${Analog.digitalInput}, ${Analog.digitalOutput}))`;

/** Adds what lists show beside the alerts' own columns to a query's few alerts: names, and silences at that time. */
export const withNames = (db: Database, few: Alerts, at: SilencedAt) =>
  db
    .selectFrom(few.selectAll("alerts").as("alerts"))
    .innerJoin("devices", "devices.device_id", "alerts.device_id")
    .leftJoin("channels", "channels.channel_id", "alerts.channel_id")
    .leftJoin("accounts", "accounts.account_id", "alerts.accepted_by")
    .leftJoin("users", "users.user_id", "accounts.user_id")
    .leftJoin(silencedRules(db, at).as("silent_rules"), "silent_rules.rule_key", "alerts.rule_key")
    .leftJoin(devicesInMaintenance(db, at).as("silent_devices"), "silent_devices.device_id", "alerts.device_id")
    .selectAll("alerts")
    .select(["devices.device_name", "devices.device_sn_id", "channels.channel_name", isSwitch.as("is_switch")])
    .select(sql<number>`coalesce(devices.parent_device_id, devices.device_id)`.as("family"))
    .select([acceptName.as("accept_name"), assignedName.as("assigned_name")])
    .select([isSilent.as("is_silent"), silentUntil.as("silent_until")]);

/** The newest alerts with their names. Names are joined after the limit, to few rows. */
const newest = (db: Database, { entries, owners, at }: Choice, limit: number, offset = 0) =>
  withNames(
    db,
    newestOfOwners(db, entries, owners, offset + limit)
      .orderBy("alerts.created_time", "desc")
      .orderBy("alerts.alert_id", "desc")
      .limit(limit)
      .offset(offset),
    at,
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
  isSwitch: alert.is_switch,
  isRate: isOfRate(alert.rule_key),
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
  time: alert.created_time,
  alarmName: alert.alarm_name,
  priority: alert.priority,
  receivedTime: alert.received_time,
  peak: alert.peak,
  assignedName: alert.assigned_name,
  isSilent: alert.is_silent,
  silentUntil: alert.silent_until,
  wasSilent: alert.was_silent,
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

const pageOfLog = async (db: Database, request: Request, page: PageRequest) => {
  const choice = await chosen(db, request);
  const [rows, total] = await Promise.all([
    newest(db, choice, page.size, offsetOf(page)).execute(),
    countUpTo(db, choice, countLimit(page)),
  ]);
  return { rows, total };
};

/** Alerts with their places in their families. */
export const loggedAlerts = async (db: Database, scope: Scope, rows: readonly NamedAlert[]): Promise<LoggedAlert[]> => {
  const placeOf = await firstOuts(db, scope, rows);
  return rows.map((row) => ({ ...alertRow(row), ...placeOf(row) }));
};

/** A page of the alerts that match the filter, newest first. */
export const alertLog = async (
  db: Database,
  scope: Scope,
  filter: AlertFilter & PageRequest,
  now: Date,
): Promise<Page<LoggedAlert>> => {
  const { rows, total } = await pageOfLog(db, { scope, filter, now }, filter);
  return pageOf(await loggedAlerts(db, scope, rows), total, filter);
};

/** The same of one channel or device, without the places: its chart asks for hundreds. */
export const sourceAlerts = async (
  db: Database,
  scope: Scope,
  filter: AlertFilter & PageRequest,
  now: Date,
): Promise<Page<AlertRow>> => {
  const { rows, total } = await pageOfLog(db, { scope, filter, now }, filter);
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
  now: Date,
): Promise<Page<NotificationRow>> => {
  const { rows, total } = await pageOfLog(db, { scope, filter: ofNotifications(filter), now }, filter);
  return pageOf(rows.map(notificationRow), total, filter);
};

/** The newest notifications, for the strip above the alert log. */
export const newestNotifications = async (
  db: Database,
  scope: Scope,
  { limit, now }: { limit: number; now: Date },
): Promise<NotificationRow[]> =>
  (await newest(db, await chosen(db, { scope, filter: notifications, now }), limit).execute()).map(notificationRow);

/** Narrows to triggered alerts that need a person's attention and are not silenced. */
export const waitingOnly =
  (db: Database, at: SilencedAt) =>
  (query: Alerts): Alerts =>
    query.$call(notSilenced(db, at)).$call(needingAttention).where("alerts.status", "=", AlertStatus.triggered);

const unconfirmed = (db: Database, scope: Scope, at: SilencedAt): Alerts =>
  alertsInScope(db, scope).$call(waitingOnly(db, at));

/** Unconfirmed alerts, by priority, then newest first. */
export const unconfirmedAlerts = async (
  db: Database,
  scope: Scope,
  { limit, now }: { limit: number; now: Date },
): Promise<AlertRow[]> => {
  const at = { plantId: scope.plantId, now };
  const few = byPriority(unconfirmed(db, scope, at)).limit(limit);
  return (await withNames(db, few, at).$call(byPriority).execute()).map(alertRow);
};

/** Confirmed alerts of channels that still stand. */
const confirmed = (db: Database, scope: Scope): Alerts =>
  alertsInScope(db, scope)
    .where("alerts.cleared_time", "is", null)
    .where("alerts.status", "=", AlertStatus.confirmed)
    .where("alerts.channel_id", "is not", null);

/** Who has confirmed these alerts, of those that are of channels. */
export const confirmedRows = (rows: readonly NamedAlert[]): ConfirmedAlert[] =>
  rows.flatMap(({ device_id, channel_id, accept_name, accept_time }) =>
    channel_id === null || accept_time === null
      ? []
      : { deviceId: device_id, deviceChannelId: channel_id, acceptName: accept_name ?? "", acceptTime: accept_time },
  );

/** Confirmed alerts of channels that still stand, of the newest alerts. */
export const confirmedAlerts = async (
  db: Database,
  scope: Scope,
  { limit, now }: { limit: number; now: Date },
): Promise<ConfirmedAlert[]> => {
  // The order of the index of statuses: one of confirmations would be searched through all that have cleared.
  const few = confirmed(db, scope).orderBy("alerts.created_time", "desc").limit(limit);
  return confirmedRows(await withNames(db, few, { plantId: scope.plantId, now }).execute());
};
