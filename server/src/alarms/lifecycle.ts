import { AlertClass, AlertPriority, AlertStatus } from "@telltale/contract/domains/alerts";
import { ReadingStatus } from "@telltale/contract/domains/channels";
import { LiveCommand } from "@telltale/contract/live";
import { type RawBuilder, sql } from "kysely";
import { queueAlerts } from "../bridges/index.ts";
import { alertColumns, insertAlertsWithNotifications, isSilenced, joinRule } from "../notify/index.ts";
import type { Bus } from "../platform/bus/bus.ts";
import { bigints, doubles } from "../platform/database/array-parameters.ts";
import { type Runner, runIn } from "../platform/database/runner.ts";
import type { Database } from "../platform/database/schema/schema.ts";
import { mergeDevices, raiseVersions } from "../readings/index.ts";
import { endEscalations } from "./escalation/progress.ts";
import { forgetPhases } from "./phases.ts";

/**
 * The life cycle of alerts; the only writer of the table `alerts`. Each function is one statement, including the notifications it causes, in the
 * caller's transaction. Transactions that change several tables take locks in the ingest writer's order: the device's version, `latest` by channel,
 * alerts, the device.
 */

/** An alert to raise. Times are epoch milliseconds. */
export interface RaisedAlert {
  plantId: number;
  deviceId: number;
  /** Absent for alerts about the device itself. */
  channelId?: number;
  /** The custom alarm that raised it. */
  alarmId?: number | null;
  alarmClass: number;
  alarmType: number;
  value?: number | null;
  unit?: string;
  /** The limit that was crossed, in the reading's unit. */
  threshold?: number | null;
  /** Seconds. */
  reportInterval?: number;
  msg?: string;
  at: number;
  /** The most extreme value so far; by default the value. */
  peak?: number | null;
  /** Set when it is already over: an event, or a condition that ended within the same batch. */
  clearedAt?: number | null;
  /** See `ruleKey`: at most one alert per key is open. */
  key: string;
}

/** An alert that was raised or cleared, for `announce`. */
export interface ChangedAlert {
  plantId: number;
  deviceId: number;
}

const raisedAt = "to_timestamp($2::float8 / 1000)";

// ON CONFLICT: neither a second open alert of a rule, nor the same occurrence again after a late commit.
const insertAlerts = `
  INSERT INTO alerts (plant_id, device_id, channel_id, alarm_id, alarm_class, alarm_type, status, value, value_unit, threshold,
                      report_interval, msg, created_time, cleared_time, rule_key, alarm_name, priority, received_time, peak, was_silent)
  SELECT r.plant_id, r.device_id, r.channel_id, r.alarm_id, r.alarm_class, r.alarm_type, status, value, value_unit, threshold,
         report_interval, msg, to_timestamp(ts / 1000.0), to_timestamp(cleared_ts / 1000.0), rule_key,
         coalesce(a.alarm_name, ''), coalesce(a.priority, ${AlertPriority.medium}), ${raisedAt}, peak, ${isSilenced(raisedAt)}
    FROM jsonb_to_recordset($1::jsonb) AS r(plant_id int, device_id int, channel_id int, alarm_id int, alarm_class int2, alarm_type int2,
         status int2, value float8, value_unit text, threshold float8, report_interval int, msg text, ts float8, cleared_ts float8, rule_key text, peak float8)
    ${joinRule}
  ON CONFLICT DO NOTHING`;
const raiseAlerts = {
  name: "raise-alerts",
  text: insertAlertsWithNotifications(insertAlerts, raisedAt, queueAlerts("raised", raisedAt)),
};

const recordOf = (alert: RaisedAlert) => ({
  plant_id: alert.plantId,
  device_id: alert.deviceId,
  channel_id: alert.channelId,
  alarm_id: alert.alarmId,
  alarm_class: alert.alarmClass,
  alarm_type: alert.alarmType,
  status: alert.clearedAt === undefined || alert.clearedAt === null ? AlertStatus.triggered : AlertStatus.cleared,
  value: alert.value,
  value_unit: alert.unit ?? "",
  threshold: alert.threshold,
  report_interval: alert.reportInterval,
  msg: alert.msg ?? "",
  ts: alert.at,
  cleared_ts: alert.clearedAt,
  rule_key: alert.key,
  peak: alert.peak ?? alert.value,
});

interface ChangedRow {
  plant_id: number;
  device_id: number;
}

const changedBy = (rows: readonly ChangedRow[]): ChangedAlert[] =>
  rows.map((row) => ({ plantId: row.plant_id, deviceId: row.device_id }));

/**
 * Raises alerts and queues their notifications. Alerts that are already open or logged are left unchanged. `now`: time from which the notifications
 * may be sent, epoch milliseconds. Returns the alerts that were raised.
 */
export const raise = async (run: Runner, alerts: readonly RaisedAlert[], now: number): Promise<ChangedAlert[]> => {
  if (alerts.length === 0) return [];
  const values = [JSON.stringify(alerts.map(recordOf)), now];
  return changedBy((await run.query<ChangedRow>({ ...raiseAlerts, values })).rows);
};

/** Columns of an alert `a`, where other tables of the statement have columns of these names, too. */
const clearedColumns = alertColumns.replaceAll(/\w+/g, "a.$&");
const queueCleared = queueAlerts("cleared", "statement_timestamp()");

// A device whose clock was set back may end an alert before it was raised. The escalation notifies of the end.
const clearAlerts = {
  name: "clear-alerts",
  text: `
  WITH cleared AS (
    UPDATE alerts a SET status = ${AlertStatus.cleared}, cleared_time = greatest(a.created_time, to_timestamp(c.ts / 1000.0))
      FROM unnest($1::text[], $2::int8[]) AS c(key, ts) WHERE a.rule_key = c.key AND a.cleared_time IS NULL
    RETURNING ${clearedColumns}),
  woken AS (UPDATE escalations e SET due_time = to_timestamp(0) FROM cleared WHERE e.alert_id = cleared.alert_id),
  further AS (${queueCleared})
  SELECT plant_id, device_id FROM cleared`,
};

/** Clears the open alerts of these rules, each at its time in epoch milliseconds. Returns the alerts that were cleared. */
export const clear = async (run: Runner, ended: readonly { key: string; at: number }[]): Promise<ChangedAlert[]> => {
  if (ended.length === 0) return [];
  const values = [ended.map(({ key }) => key), bigints(ended.map(({ at }) => at))];
  return changedBy((await run.query<ChangedRow>({ ...clearAlerts, values })).rows);
};

const raisePeaks = {
  name: "raise-peaks",
  text: `UPDATE alerts a SET peak = p.value FROM unnest($1::text[], $2::float8[]) AS p(key, value) WHERE a.rule_key = p.key AND a.cleared_time IS NULL`,
};

/** Keeps the most extreme values of open alerts, by the keys of their rules. Call before they are cleared. */
export const keepPeaks = async (run: Runner, peaks: ReadonlyMap<string, number>): Promise<void> => {
  if (peaks.size > 0) await run.query({ ...raisePeaks, values: [[...peaks.keys()], doubles([...peaks.values()])] });
};

/** Clears the open alerts of this condition now; a device's clock may be ahead of the server's. Returns their ids. */
const clearOpen = async (db: Database, which: RawBuilder<boolean>, now: Date): Promise<number[]> => {
  const { rows } = await sql<{ alert_id: number }>`
    with cleared as (
      update alerts a set status = ${AlertStatus.cleared}, cleared_time = greatest(a.created_time, ${now}::timestamptz)
       where a.cleared_time is null and ${which}
      returning ${sql.raw(clearedColumns)}),
    further as (${sql.raw(queueCleared)})
    select alert_id from cleared`.execute(db);
  return rows.map(({ alert_id }) => alert_id);
};

/** Clears those of these alerts that are open. `settle`: what becomes of their escalations, whether they notify that the alerts have cleared or just end. */
export const clearIds = async (
  db: Database,
  alertIds: readonly number[],
  now: Date,
  settle: (db: Database, alertIds: readonly number[], now: Date) => Promise<void>,
): Promise<void> => {
  if (alertIds.length === 0) return;
  await settle(db, await clearOpen(db, sql`alert_id = any(${alertIds}::bigint[])`, now), now);
};

const { custom, threshold } = AlertClass;

/** Clears alerts raised by readings of channels that are switched off, which no reading would ever clear. */
export const clearOfChannels = async (db: Database, channelIds: readonly number[], now: Date): Promise<void> => {
  if (channelIds.length === 0) return;
  await forgetPhases(db, { channelIds });
  const isOfThem = sql<boolean>`channel_id = any(${channelIds}::int[]) and alarm_class in (${custom}, ${threshold})`;
  await endEscalations(db, await clearOpen(db, isOfThem, now));
};

/** Clears all open alerts of a device and its channels, and resets the status of their newest readings. */
export const clearOfDevice = async (db: Database, deviceId: number, now: Date): Promise<void> => {
  const ofDevice = sql<boolean>`channel_id in (select channel_id from channels where device_id = ${deviceId})`;
  await raiseVersions(runIn(db), [deviceId]);
  await mergeDevices(runIn(db), [deviceId]);
  await db.deleteFrom("alarm_phases").where(ofDevice).execute();
  await endEscalations(db, await clearOpen(db, sql`device_id = ${deviceId}`, now));
  await db
    .updateTable("latest")
    .set({ status: ReadingStatus.good })
    .where(ofDevice)
    .where("status", "=", ReadingStatus.alarm)
    .execute();
};

/** Assigns an alert to an account; null for nobody. */
export const assignTo = async (db: Database, alertId: number, accountId: number | null): Promise<void> => {
  await db.updateTable("alerts").set({ assigned_to: accountId }).where("alert_id", "=", alertId).execute();
};

const deleteAlerts =
  "DELETE FROM alerts WHERE alert_id IN (SELECT alert_id FROM alerts WHERE device_id = $1 LIMIT $2) RETURNING plant_id, device_id";

/** Deletes up to `limit` alerts of a deleted device; returns how many. */
export const deleteOfDevice = async (run: Runner, deviceId: number, limit: number): Promise<number> =>
  (await run.query({ text: deleteAlerts, values: [deviceId, limit] })).rows.length;

/** Emits live events for open consoles. Call after the commit. */
export const announce = (bus: Bus, changed: readonly ChangedAlert[]): void => {
  const seen = new Map(changed.map((change) => [`${change.plantId}:${change.deviceId}`, change]));
  for (const { plantId, deviceId } of seen.values())
    bus.emit("live", { plantId, message: { cmd: LiveCommand.alertChange, deviceId } });
};
