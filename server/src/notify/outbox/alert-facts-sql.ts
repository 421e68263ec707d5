import { Analog } from "@telltale/contract/domains/channels";
import { MessageKind } from "@telltale/contract/notification-channels";

/** Whether an alert is older than a day: news of a device that reconnects with weeks of readings. `r` is the alert. */
export const isOldNews = (now: string): string => `r.created_time < ${now} - interval '1 day'`;

/** The alarm rule that an alert `r` belongs to as `a`, and whose name and priority it takes: its own, or the device's of its class, an enabled one first. */
export const joinRule = `
  LEFT JOIN LATERAL (
    SELECT m.alarm_id, m.alarm_name, m.priority, m.response, m.is_enabled, m.plan_id FROM alarms m
     WHERE m.alarm_id = r.alarm_id
        OR (r.alarm_id IS NULL AND m.plant_id = r.plant_id AND m.device_id = r.device_id AND m.alarm_class = r.alarm_class)
     ORDER BY m.is_enabled DESC, m.alarm_id LIMIT 1) AS a ON true`;

/** What the facts of an alert are read from, for an alert `r` with its rule `a`. */
export const joinNames = `
  JOIN devices d ON d.device_id = r.device_id
  JOIN plants pl ON pl.plant_id = r.plant_id
  LEFT JOIN channels c ON c.channel_id = r.channel_id`;

/** SQL: whether the channel of an alert `r` is a contact. */
const isSwitch = `EXISTS (SELECT FROM settings_periods sp WHERE sp.channel_id = r.channel_id AND sp.end_time IS NULL
   AND (sp.settings->>'analogId')::int IN (${Analog.digitalInput}, ${Analog.digitalOutput}))`;

/**
 * SQL expression of a message's body: an alert `r` with its rule `a`, and `AlertFacts` of the recipient. `now` is an SQL expression of the time;
 * `stopKey` one of the recipient's key to unsubscribe, `more` one of an object with further facts. A message about old news is sent only while its alert is open.
 */
export const alertFacts = (now: string, stopKey: string, more = "'{}'::jsonb"): string => `
  jsonb_build_object('alert', jsonb_build_object(
    'alarmClass', r.alarm_class, 'alarmType', r.alarm_type, 'alarmName', coalesce(a.alarm_name, r.alarm_name),
    'deviceSnId', d.device_sn_id, 'deviceName', d.device_name, 'channelName', c.channel_name, 'channelCn', c.channel_cn, 'isSwitch', ${isSwitch},
    'value', r.value, 'unit', r.value_unit, 'threshold', r.threshold, 'msg', r.msg,
    'time', round(extract(epoch FROM r.created_time) * 1000), 'toldTime', round(extract(epoch FROM coalesce(r.received_time, r.created_time)) * 1000),
    'zone', d.time_zone_id, 'plantName', pl.name, 'stopKey', ${stopKey}, 'alertId', r.alert_id, 'priority', r.priority, 'response', coalesce(a.response, ''),
    'onlyWhileOpen', CASE WHEN ${isOldNews(now)} AND r.cleared_time IS NULL THEN r.alert_id END) || ${more})`;

/** Whether the rule of an alert `r` is silenced, or its device in a maintenance window: nobody is notified then. */
export const isSilenced = (now: string): string => `(
   EXISTS (SELECT FROM silences s WHERE s.rule_key = r.rule_key AND s.ended_time IS NULL AND s.end_time > ${now})
   OR EXISTS (SELECT FROM silence_devices w JOIN silences s USING (silence_id)
               WHERE w.device_id = r.device_id AND s.ended_time IS NULL AND s.start_time <= ${now} AND s.end_time > ${now}))`;

/** Most SMS about an alert to one phone. */
const mostTexts = 6;

/**
 * SQL: whether a message of a `kind` may be written: any but SMS, and of these no more than the most to a phone. `which`: condition on the messages `t`
 * about the same alert to the same address; `also`: a query of those that the same statement writes.
 */
export const mayText = (kind: string, which: string, also?: string): string => {
  const texts = (of: string): string => `(SELECT count(*) FROM ${of} t WHERE t.kind = ${MessageKind.sms} AND ${which})`;
  return `(${kind} <> ${MessageKind.sms} OR ${texts("outbox")}${also ? ` + ${texts(also)}` : ""} < ${mostTexts})`;
};
