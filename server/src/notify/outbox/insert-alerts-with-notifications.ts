import { AlertClass } from "@telltale/contract/domains/alerts";
import { ContactStatus } from "@telltale/contract/domains/people/contacts";
import { ContactType, MessageKind } from "@telltale/contract/notification-channels";
import { alertFacts, isOldNews, isSilenced, joinNames, mayText } from "./alert-facts-sql.ts";

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

/** Webhooks as recipients: their address is their id. Columns as of `reached`. */
const webhooksReached = `
  SELECT r.alert_id, r.alarm_id, ${MessageKind.webhook} AS kind, w.webhook_id::text AS address, NULL AS stop_key
    FROM rules r JOIN alarm_webhooks USING (alarm_id) JOIN webhooks w USING (webhook_id)
   WHERE w.is_enabled`;

/** The subscribed browsers of the users to whom the alarm is assigned; their address is their id. Columns as of `reached`. */
const browsersReached = `
  SELECT r.alert_id, r.alarm_id, ${MessageKind.push} AS kind, p.push_id::text AS address, NULL AS stop_key
    FROM rules r JOIN account_alarms USING (alarm_id) JOIN accounts a USING (account_id) JOIN push_subscriptions p USING (account_id)
   WHERE a.activate AND a.removed_time IS NULL`;

/** Recipients: users to whom the alarm is assigned, by mail and push, its verified contacts by their type, and its webhooks. */
const reached = `
  SELECT r.alert_id, r.alarm_id, ${ContactType.mail} AS kind, u.email AS address, NULL AS stop_key
    FROM rules r JOIN account_alarms USING (alarm_id) JOIN accounts a USING (account_id) JOIN users u USING (user_id)
   WHERE a.activate AND a.removed_time IS NULL
  UNION ALL
  SELECT r.alert_id, r.alarm_id, c.type, c.contact_info, c.stop_key
    FROM rules r JOIN alarm_recipients USING (alarm_id) JOIN contacts c USING (contact_id)
   WHERE c.status = ${ContactStatus.verified}
  UNION ALL ${browsersReached}
  UNION ALL ${webhooksReached}`;

/**
 * An alert older than a day is sent after five minutes, and only if it is still open then: a device that reconnects with weeks of readings raises and
 * clears many alerts, but persisting ones must be notified.
 */
const firstTry = (now: string): string =>
  `CASE WHEN ${isOldNews(now)} AND r.cleared_time IS NULL THEN ${now} + interval '5 minutes' ELSE ${now} END`;

/** The columns of alerts that messages about them are made of. */
export const alertColumns =
  "alert_id, plant_id, device_id, channel_id, alarm_id, alarm_class, alarm_type, value, value_unit, threshold, msg, created_time, cleared_time, rule_key, alarm_name, priority, received_time";

/** A condition that had ended before the server learned of it: its messages are folded into a summary by the escalation. */
const wasOver = `(r.cleared_time IS NOT NULL AND r.alarm_class <> ${AlertClass.notification})`;

/** The people whom the rules of raised alerts name, each address once an alert. */
const people = `
  SELECT DISTINCT ON (alert_id, kind, lower(address)) * FROM (${reached}) AS reached
   ORDER BY alert_id, kind, lower(address), stop_key NULLS FIRST, alarm_id`;

/** Selects alert, kind, address and stop key of the recipients whom the rules of alerts name. `which`: a query of alerts. */
export const ownRecipients = (which: string): string =>
  `WITH raised AS (${which}), rules AS (${rules}) SELECT alert_id, kind, address, stop_key FROM (${people}) AS people`;

/** Inserts messages to the recipients of alerts `r`, as far as the condition holds. Needs the queries `raised`, `rules` and `people`. */
const notified = (now: string, which: string): string => `
  INSERT INTO outbox (plant_id, alert_id, kind, recipient, subject, body, next_time, created_time)
  SELECT r.plant_id, r.alert_id, p.kind, p.address, a.alarm_name, ${alertFacts(now, "p.stop_key")}, ${firstTry(now)}, ${now}
    FROM people p
    JOIN raised r USING (alert_id)
    JOIN alarms a ON a.alarm_id = p.alarm_id
    ${joinNames}
   WHERE ${which}`;

const notifying = (raised: string, now: string, { which = "true", also = "" }): string => `
WITH raised AS (${raised}),
rules AS (${rules}),
people AS (${people}),
notified AS (${notified(now, `NOT ${wasOver} AND NOT ${isSilenced(now)} AND ${which}`)}),
escalated AS (
  INSERT INTO escalations (alert_id, started_time, due_time, was_over)
  SELECT r.alert_id, ${now}, ${firstTry(now)}, ${wasOver} FROM raised r WHERE NOT ${isSilenced(now)}
  ON CONFLICT (alert_id) DO UPDATE SET started_time = excluded.started_time, position = 0, due_time = excluded.due_time)${also}
SELECT plant_id, device_id FROM raised`;

/**
 * Extends a statement that raises alerts (without RETURNING) so that it also inserts the notifications of their rules' own recipients, and begins their
 * escalation: each address gets one message per alert, but none where the rule is silenced. Returns plant and device of each raised alert. `now` is an
 * SQL expression for the time from which the messages may be sent; `also` inserts from `raised` what else follows from them.
 */
export const insertAlertsWithNotifications = (raise: string, now: string, also: string): string =>
  notifying(`${raise} RETURNING ${alertColumns}`, now, { also: `,\nfurther AS (${also})` });

/** Inserts the notifications of alerts `r` as they would have been sent in the past, without an escalation: for the demonstration's past. */
export const insertNotificationsOfPast = (which: string, now: string): string => `
WITH raised AS (SELECT ${alertColumns} FROM alerts r WHERE ${which}),
rules AS (${rules}),
people AS (${people})
${notified(now, "true")}`;

/** Inserts the notifications of alerts that stand, which nobody was notified of while they were silenced. `which`: condition on the alerts `r`. */
export const insertNotificationsOf = (which: string, now: string): string =>
  notifying(`SELECT ${alertColumns} FROM alerts r WHERE ${which}`, now, {
    which: mayText("p.kind", "t.alert_id = r.alert_id AND t.recipient = p.address"),
  });
