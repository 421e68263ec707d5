import { AlertClass } from "@telltale/contract/domains/alerts";
import { ContactStatus } from "@telltale/contract/domains/people/contacts";
import { ContactType } from "@telltale/contract/notification-channels";

/**
 * The alarms that a raised alert belongs to. A custom alarm raises its own alerts; alerts by device limits and device events belong to the device's
 * alarms of the same class, which name the recipients.
 */
const rules = `
  SELECT alert_id, alarm_id FROM raised WHERE alarm_id IS NOT NULL
  UNION ALL
  SELECT r.alert_id, a.alarm_id FROM raised r
    JOIN alarms a ON a.device_id = r.device_id AND a.alarm_class = r.alarm_class AND a.plant_id = r.plant_id
   WHERE a.alarm_class IN (${AlertClass.threshold}, ${AlertClass.notification}) AND a.is_enabled`;

/** Recipients: users to whom the alarm is assigned, by mail, and its verified contacts by their type. */
const reached = `
  SELECT r.alert_id, r.alarm_id, ${ContactType.mail} AS kind, u.email AS address, NULL AS stop_key
    FROM rules r JOIN account_alarms USING (alarm_id) JOIN accounts a USING (account_id) JOIN users u USING (user_id)
   WHERE a.activate AND a.removed_time IS NULL
  UNION ALL
  SELECT r.alert_id, r.alarm_id, c.type, c.contact_info, c.stop_key
    FROM rules r JOIN alarm_recipients USING (alarm_id) JOIN contacts c USING (contact_id)
   WHERE c.status = ${ContactStatus.verified}`;

/**
 * An alert older than a day is sent after five minutes, and only if it is still open then: a device that reconnects with weeks of readings raises and
 * clears many alerts, but persisting ones must be notified.
 */
const isOldNews = (now: string): string => `r.created_time < ${now} - interval '1 day'`;
const firstTry = (now: string): string =>
  `CASE WHEN ${isOldNews(now)} THEN ${now} + interval '5 minutes' ELSE ${now} END`;

const facts = (now: string): string => `
  jsonb_build_object('alert', jsonb_build_object(
    'alarmClass', r.alarm_class, 'alarmType', r.alarm_type, 'alarmName', a.alarm_name,
    'deviceSnId', d.device_sn_id, 'deviceName', d.device_name, 'channelName', c.channel_name, 'channelCn', c.channel_cn,
    'value', r.value, 'unit', r.value_unit, 'threshold', r.threshold, 'msg', r.msg,
    'time', round(extract(epoch FROM r.created_time) * 1000), 'toldTime', round(extract(epoch FROM ${now}) * 1000),
    'zone', d.time_zone_id, 'plantName', pl.name, 'stopKey', p.stop_key, 'alertId', r.alert_id, 'priority', a.priority, 'response', a.response,
    'onlyWhileOpen', CASE WHEN ${isOldNews(now)} THEN r.alert_id END))`;

const columns =
  "alert_id, plant_id, device_id, channel_id, alarm_id, alarm_class, alarm_type, value, value_unit, threshold, msg, created_time, rule_key";

/** Nobody is notified of alerts of silenced rules, and of devices in a maintenance window. */
const isSilenced = (now: string): string => `(
   EXISTS (SELECT FROM silences s WHERE s.rule_key = r.rule_key AND s.ended_time IS NULL AND s.end_time > ${now})
   OR EXISTS (SELECT FROM silence_devices w JOIN silences s USING (silence_id)
               WHERE w.device_id = r.device_id AND s.ended_time IS NULL AND s.start_time <= ${now} AND s.end_time > ${now}))`;

const notifying = (raised: string, now: string): string => `
WITH raised AS (${raised}),
rules AS (${rules}),
people AS (
  SELECT DISTINCT ON (alert_id, kind, lower(address)) * FROM (${reached}) AS reached
   ORDER BY alert_id, kind, lower(address), stop_key NULLS FIRST, alarm_id),
notified AS (
  INSERT INTO outbox (plant_id, alert_id, kind, recipient, subject, body, next_time, created_time)
  SELECT r.plant_id, r.alert_id, p.kind, p.address, a.alarm_name, ${facts(now)}, ${firstTry(now)}, ${now}
    FROM people p
    JOIN raised r USING (alert_id)
    JOIN devices d ON d.device_id = r.device_id
    JOIN plants pl ON pl.plant_id = r.plant_id
    JOIN alarms a ON a.alarm_id = p.alarm_id
    LEFT JOIN channels c ON c.channel_id = r.channel_id
   WHERE NOT ${isSilenced(now)})
SELECT plant_id, device_id FROM raised`;

/**
 * Extends a statement that raises alerts (without RETURNING) so that it also inserts their notifications: each recipient address gets one message per
 * alert, but none where the rule is silenced. Returns plant and device of each raised alert. `now` is an SQL expression for the time from which the
 * messages may be sent.
 */
export const insertAlertsWithNotifications = (raise: string, now: string): string =>
  notifying(`${raise} RETURNING ${columns}`, now);

/** Inserts the notifications of alerts that stand, which nobody was notified of while they were silenced. `which`: condition on the alerts `r`. */
export const insertNotificationsOf = (which: string, now: string): string =>
  notifying(`SELECT ${columns} FROM alerts r WHERE ${which}`, now);
