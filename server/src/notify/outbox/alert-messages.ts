import { AlertStatus } from "@telltale/contract/domains/alerts";
import { MessageKind } from "@telltale/contract/notification-channels";
import type { Runner } from "../../platform/database/runner.ts";
import { alertFacts, isSilenced, joinNames, joinRule, mayText } from "./alert-facts-sql.ts";
import { Hold } from "./hold.ts";
import { ownRecipients } from "./insert-alerts-with-notifications.ts";

/** An address that messages can be sent to. */
export interface Recipient {
  kind: MessageKind;
  address: string;
  /** Key of a contact's unsubscribe link; null for a user. */
  stopKey: string | null;
}

/** A message about an alert. */
export interface AlertMessage extends Recipient {
  alertId: number;
  round: number;
  /** Since the alert was raised: of steps after the first, which nobody confirmed. */
  minutes?: number | undefined;
  /** The plan notifies this recipient, and not the alert's rule. */
  isOfPlan: boolean;
  /** It was over before anybody was notified: the message is folded into a summary with others. */
  isOver: boolean;
}

/** What becomes of an alert's escalation. */
export interface Claim {
  alertId: number;
  /** The turn and the time at which it is expected; if it was moved since, nothing is done. `wasDue`: as PostgreSQL wrote it. */
  was: number;
  wasDue: string;
  position: number;
  /** When the next turn is due, epoch milliseconds; undefined: not before the alert clears. */
  due: number | undefined;
  /** It ends; nothing more follows. */
  isEnd: boolean;
  /** Only if the alert still waits to be confirmed, and is not silenced. */
  mustWait: boolean;
  /** Notify whoever was notified that it has cleared. */
  backToNormal: "nobody" | "withoutSms" | "everybody";
}

const hasMessage = (round: string): string => `EXISTS (SELECT FROM outbox o
    WHERE o.alert_id = m.alert_id AND o.kind = m.kind AND lower(o.recipient) = lower(m.address) AND o.round = ${round} AND o.created_time >= claimed.started_time)`;
const more =
  "jsonb_strip_nulls(jsonb_build_object('minutes', m.minutes, 'isOfPlan', m.is_of_plan, 'clearedTime', round(extract(epoch FROM r.cleared_time) * 1000)))";

const now = "to_timestamp($3::float8 / 1000)";
const stopKeyOf = `(SELECT c2.stop_key FROM contacts c2 WHERE c2.plant_id = r.plant_id AND c2.type = o.kind AND lower(c2.contact_info) = lower(o.recipient) LIMIT 1)`;
const clearedTime =
  "jsonb_build_object('clearedTime', round(extract(epoch FROM r.cleared_time) * 1000), 'isBackToNormal', true)";

/** Whom the alert's messages have reached, or will. */
const wasNotified = `(o.status IN ('waiting', 'sending', 'sent', 'kept', 'listed') AND NOT (o.status = 'waiting' AND o.body->'alert'->>'onlyWhileOpen' IS NOT NULL))`;

// Rows that another transaction holds are left for the next run: waiting for the one that clears an alert could deadlock with it.
// IS NOT DISTINCT FROM: no index by time is used for it. Many alerts that were raised together are due at the same time, and would be read for each of them.
const escalate = {
  name: "escalate",
  text: `
WITH claims AS (SELECT * FROM jsonb_to_recordset($1::jsonb) AS c(alert_id bigint, was int, was_due timestamptz, position int, due float8, is_end boolean, must_wait boolean, normal text)),
found AS (
  SELECT e.alert_id, e.started_time FROM escalations e JOIN claims c USING (alert_id)
   WHERE e.position = c.was AND e.due_time IS NOT DISTINCT FROM c.was_due ORDER BY e.alert_id FOR UPDATE OF e SKIP LOCKED),
moved AS (
  UPDATE escalations e SET position = c.position, due_time = to_timestamp(c.due / 1000)
    FROM found JOIN claims c USING (alert_id) JOIN alerts r USING (alert_id)
   WHERE e.alert_id = found.alert_id AND NOT c.is_end
     AND (NOT c.must_wait OR (r.status = ${AlertStatus.triggered} AND NOT ${isSilenced(now)}))
  RETURNING e.alert_id, e.started_time),
ended AS (
  DELETE FROM escalations e USING found JOIN claims c USING (alert_id) WHERE e.alert_id = found.alert_id AND c.is_end RETURNING e.alert_id, e.started_time, c.normal),
claimed AS (SELECT alert_id, started_time FROM moved UNION ALL SELECT alert_id, started_time FROM ended),
folded AS (
  INSERT INTO outbox_folds (plant_id, kind, recipient, hold, due_time)
  SELECT DISTINCT r.plant_id, m.kind, lower(m.address), ${Hold.backlog}, ${now} + interval '10 seconds'
    FROM jsonb_to_recordset($2::jsonb) AS m(alert_id bigint, kind int2, address text, is_over boolean) JOIN claimed USING (alert_id) JOIN alerts r USING (alert_id)
   WHERE m.is_over
  -- Waits for a summary that is being written: one that did not see these messages would leave them without a time.
  ON CONFLICT (plant_id, kind, recipient, hold) DO UPDATE SET due_time = outbox_folds.due_time),
told AS (
  INSERT INTO outbox (plant_id, alert_id, kind, recipient, subject, body, round, status, hold, next_time, created_time)
  SELECT r.plant_id, r.alert_id, m.kind, m.address, coalesce(a.alarm_name, r.alarm_name), ${alertFacts(now, "m.stop_key", more)}, m.round,
         CASE WHEN m.is_over THEN 'held' ELSE 'waiting' END, CASE WHEN m.is_over THEN ${Hold.backlog} ELSE 0 END, ${now}, ${now}
    FROM jsonb_to_recordset($2::jsonb) AS m(alert_id bigint, kind int2, address text, stop_key text, round int2, minutes int, is_of_plan boolean, is_over boolean)
    JOIN claimed USING (alert_id) JOIN alerts r USING (alert_id) ${joinNames} ${joinRule}
   WHERE NOT ${hasMessage("m.round")} AND ${mayText("m.kind", "t.alert_id = m.alert_id AND t.recipient = m.address")}
  RETURNING alert_id, kind, recipient)
INSERT INTO outbox (plant_id, alert_id, kind, recipient, subject, body, round, next_time, created_time)
SELECT DISTINCT ON (o.alert_id, o.kind, lower(o.recipient)) r.plant_id, r.alert_id, o.kind, o.recipient, coalesce(a.alarm_name, r.alarm_name),
       ${alertFacts(now, stopKeyOf, clearedTime)}, -1, ${now}, ${now}
  FROM ended JOIN alerts r USING (alert_id) JOIN outbox o USING (alert_id) ${joinNames} ${joinRule}
 WHERE ended.normal <> 'nobody' AND (ended.normal = 'everybody' OR o.kind <> ${MessageKind.sms}) AND ${wasNotified}
   AND ${mayText("o.kind", "t.alert_id = o.alert_id AND t.recipient = o.recipient", "told")}
 ORDER BY o.alert_id, o.kind, lower(o.recipient)`,
};

const claimRecord = (claim: Claim) => ({
  alert_id: claim.alertId,
  was: claim.was,
  was_due: claim.wasDue,
  position: claim.position,
  due: claim.due ?? null,
  is_end: claim.isEnd,
  must_wait: claim.mustWait,
  normal: claim.backToNormal,
});

const messageRecord = (message: AlertMessage) => ({
  alert_id: message.alertId,
  kind: message.kind,
  address: message.address,
  stop_key: message.stopKey,
  round: message.round,
  minutes: message.minutes ?? null,
  is_of_plan: message.isOfPlan,
  is_over: message.isOver,
});

/** Of several messages to an address in one round, the first. */
const onceAnAddress = (messages: readonly AlertMessage[]): AlertMessage[] => {
  const byAddress = new Map<string, AlertMessage>();
  for (const message of messages) {
    const key = `${message.alertId} ${message.round} ${message.kind} ${message.address.toLowerCase()}`;
    if (!byAddress.has(key)) byAddress.set(key, message);
  }
  return [...byAddress.values()];
};

/**
 * Moves escalations on and writes their messages, in one statement that asks again whether the alert still waits: neither a crash between the two nor
 * a second node sends a message twice. In a round each address gets one message. `at`: epoch milliseconds.
 */
export const writeAlertMessages = async (
  run: Runner,
  claims: readonly Claim[],
  messages: readonly AlertMessage[],
  at: number,
): Promise<void> => {
  const values = [
    JSON.stringify(claims.map(claimRecord)),
    JSON.stringify(onceAnAddress(messages).map(messageRecord)),
    at,
  ];
  await run.query({ ...escalate, values });
};

/** The recipients that the rules of these alerts name, by the alert's id. */
export const ownRecipientsOf = async (run: Runner, alertIds: readonly number[]): Promise<Map<number, Recipient[]>> => {
  const { rows } = await run.query<{ alert_id: number; kind: MessageKind; address: string; stop_key: string | null }>({
    name: "own-recipients",
    text: ownRecipients("SELECT * FROM alerts WHERE alert_id = ANY($1::bigint[])"),
    values: [[...alertIds]],
  });
  const found = new Map<number, Recipient[]>();
  for (const { alert_id, kind, address, stop_key } of rows)
    found.set(alert_id, [...(found.get(alert_id) ?? []), { kind, address, stopKey: stop_key }]);
  return found;
};
