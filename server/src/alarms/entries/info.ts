import {
  type AlertDelivery,
  type AlertEvent,
  AlertEventKind,
  type AlertInfo,
  type StandingRow,
} from "@telltale/contract/domains/alerting/entries";
import { isAllowed } from "@telltale/contract/permissions";
import { sql } from "kysely";
import { isLimited, type Scope, userNameIn } from "../../access/index.ts";
import { joinRule, recipientName } from "../../notify/index.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { notFound } from "../../platform/http/api-error.ts";
import type { Caller } from "../../platform/http/caller.ts";
import type { World } from "../../world.ts";
import { nextStepOf } from "../escalation/plans.ts";
import { alertsInScope } from "../log/filter.ts";
import { type NamedAlert, withNames } from "../log/queries.ts";
import { type Notification, notificationEvents } from "./notifications.rules.ts";
import { withNow } from "./standing.ts";

const anEvent = { by: null, to: null, note: "", deliveries: [] };

/** Name of an account, for a column that holds its id. */
const nameOf = (column: string) => sql<string | null>`(
  select ${userNameIn("users")} from accounts join users on users.user_id = accounts.user_id where accounts.account_id = ${sql.ref(column)})`;

const written = async (db: Database, alertId: number): Promise<AlertEvent[]> => {
  const rows = await db
    .selectFrom("alert_events as e")
    .where("e.alert_id", "=", alertId)
    .orderBy("e.event_id")
    .select(["e.kind", "e.note", "e.created_time", nameOf("e.subject_id").as("to")])
    .select(sql<string | null>`coalesce(${nameOf("e.account_id")}, e.by_name)`.as("by"))
    .execute();
  return rows.map(({ kind, note, created_time: time, by, to }) => ({
    ...anEvent,
    kind: AlertEventKind[kind],
    ...{ time, by, to, note },
  }));
};

/** The messages about an alert, each with what became of the summary that lists it. A viewer sees names, and no addresses. */
const messagesOf = async (db: Database, caller: Caller, alertId: number): Promise<Notification[]> => {
  const rows = await db
    .selectFrom("outbox as o")
    .leftJoin("outbox as g", "g.message_id", "o.digest_id")
    .where("o.alert_id", "=", alertId)
    .where("o.plant_id", "=", caller.plantId)
    .orderBy("o.message_id")
    .select(["o.kind", "o.recipient", "o.round", "o.created_time"])
    .select(
      sql<AlertDelivery["status"]>`case when g.status in ('failed', 'kept') then g.status else o.status end`.as(
        "status",
      ),
    )
    .select(({ fn }) => fn.coalesce("g.sent_time", "o.sent_time", "o.created_time").as("time"))
    .select(sql<string>`coalesce(nullif(o.fault, ''), g.fault, '')`.as("fault"))
    .select(recipientName.as("name"))
    .execute();
  return rows.map((row) => ({
    written: row.created_time,
    isBackToNormal: row.round === -1,
    delivery: {
      to: row.name ?? (isLimited(caller) ? "A contact" : row.recipient),
      by: row.kind,
      status: row.status,
      time: row.time,
      fault: isLimited(caller) && row.fault !== "" ? "Not delivered" : row.fault,
    },
  }));
};

/** What the alert's own columns tell. */
const ownEvents = (alert: NamedAlert): AlertEvent[] => [
  { ...anEvent, kind: AlertEventKind.raised, time: alert.created_time },
  ...(alert.accept_time
    ? [{ ...anEvent, kind: AlertEventKind.confirmed, time: alert.accept_time, by: alert.accept_name }]
    : []),
  ...(alert.cleared_time ? [{ ...anEvent, kind: AlertEventKind.cleared, time: alert.cleared_time }] : []),
];

/** What an alert's rule says now; nulls where there is none. */
interface RuleNow {
  alarm_id: number | null;
  response: string | null;
  plan_id: number | null;
}

const ruleOf = async (db: Database, { alert_id }: NamedAlert): Promise<RuleNow | undefined> => {
  const { rows } = await sql<RuleNow>`
    select a.alarm_id, a.response, a.plan_id from alerts r ${sql.raw(joinRule)} where r.alert_id = ${alert_id}`.execute(
    db,
  );
  return rows[0];
};

type Needs = Pick<World, "db" | "pool" | "clock">;

/** An alert as a message's link shows it. */
export type LinkedEntry = StandingRow & { response: string };

const entryOf = ({ db, clock }: Needs, scope: Scope, alertId: number) =>
  withNames(db, alertsInScope(db, scope).where("alerts.alert_id", "=", alertId), {
    plantId: scope.plantId,
    now: clock.date(),
  })
    .select("devices.time_zone_id")
    .executeTakeFirst();

/** One alert in the scope without its timeline; undefined for any other id. */
export const linkedEntry = async (needs: Needs, scope: Scope, alertId: number): Promise<LinkedEntry | undefined> => {
  const found = await entryOf(needs, scope, alertId);
  if (!found) return undefined;
  const [[row], rule] = await Promise.all([withNow(needs, scope, [found]), ruleOf(needs.db, found)]);
  return row && { ...row, response: rule?.response ?? "" };
};

/** One alert in the account's scope with its timeline; 404 for any other id. */
export const alertInfo = async (needs: Needs, caller: Caller, alertId: number): Promise<AlertInfo> => {
  const { db } = needs;
  const found = await entryOf(needs, caller, alertId);
  if (!found) throw notFound();
  const [[row], rule, messages, events] = await Promise.all([
    withNow(needs, caller, [found]),
    ruleOf(db, found),
    messagesOf(db, caller, alertId),
    written(db, alertId),
  ]);
  if (!row) throw notFound();
  const waiting = { alert: found, planId: rule?.plan_id ?? null };
  const next = isAllowed("escalation.read", caller) ? await nextStepOf(db, waiting, needs.clock.date()) : null;
  const returned = events.filter(({ kind }) => kind === AlertEventKind.returned).map(({ time }) => time);
  // A device's clock may be ahead of the server's: what followed has not come before.
  const momentOf = ({ kind, time }: AlertEvent) => (kind === AlertEventKind.raised ? 0 : time.getTime());
  const happened = [...ownEvents(found), ...notificationEvents(messages, returned), ...events];
  return {
    ...row,
    alarmId: isAllowed("alarms.read", caller) ? (rule?.alarm_id ?? null) : null,
    response: rule?.response ?? "",
    timeZoneId: found.time_zone_id,
    assignedTo: found.assigned_to,
    next,
    timeline: happened.toSorted((a, b) => momentOf(a) - momentOf(b)),
  };
};
