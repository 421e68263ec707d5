import { AlertStatus, alertStatusLabels } from "@telltale/contract/domains/alerts";
import type { Scope } from "../access/index.ts";
import { audit } from "../platform/database/audit.ts";
import { when } from "../platform/database/paging.ts";
import type { Database } from "../platform/database/schema/schema.ts";
import { conflict, notFound } from "../platform/http/api-error.ts";
import type { Caller } from "../platform/http/caller.ts";
import type { World } from "../world.ts";
import { type Author, addNote } from "./entries/notes.ts";
import { announce } from "./lifecycle.ts";
import { alertsInScope, notSilenced } from "./log/filter.ts";

/** Columns written by a confirmation. */
interface Confirmation {
  status: AlertStatus;
  acceptTime: Date;
  /** The confirmer's account; null for a contact. */
  acceptedBy: number | null;
  /** The contact's name; null for an account. */
  acceptedName: string | null;
}

/** Only a triggered alert can be confirmed; a confirmed or cleared one stays as it is. (decisions §1) */
const canConfirm = ({ status }: { status: number }): boolean => status === AlertStatus.triggered;

/** A confirmation by an account, or by a contact of this name. */
const confirmationBy = (
  { accountId, name = null }: { accountId: number | null; name?: string | null },
  now: Date,
): Confirmation => ({
  status: AlertStatus.confirmed,
  acceptTime: now,
  acceptedBy: accountId,
  acceptedName: accountId === null ? name : null,
});

type Needs = Pick<World, "db" | "bus" | "clock">;

const alertById = (db: World["db"], scope: Scope, alertId: number) =>
  alertsInScope(db, scope)
    .where("alerts.alert_id", "=", alertId)
    .select(["alerts.alert_id", "alerts.status", "alerts.device_id", "alerts.alarm_name"])
    .executeTakeFirst();

const columnsOf = ({ status, acceptTime, acceptedBy, acceptedName }: Confirmation) => ({
  status,
  accept_time: acceptTime,
  accepted_by: acceptedBy,
  accepted_name: acceptedName,
});

const { triggered, confirmed } = AlertStatus;
/** What the audit log tells of a confirmed alert. */
const change = { before: { status: alertStatusLabels[triggered] }, after: { status: alertStatusLabels[confirmed] } };

/** Confirms an alert if it is still triggered, in the caller's transaction; of two concurrent confirmations the first is kept. False when it was not. */
const confirmTriggered = async (trx: Database, author: Author, alertId: number, now: Date): Promise<boolean> => {
  const { numUpdatedRows } = await trx
    .updateTable("alerts")
    .set(columnsOf(confirmationBy(author, now)))
    .where("alert_id", "=", alertId)
    .where("status", "=", AlertStatus.triggered)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/**
 * Confirms one alert in the account's scope, if it is still triggered. 404 for any other id. A note is kept in any case.
 */
export const confirm = async (
  { db, bus, clock }: Needs,
  caller: Caller,
  alertId: number,
  note?: string,
): Promise<void> => {
  const alert = await alertById(db, caller, alertId);
  if (!alert) throw notFound();
  const isChanged = await db.transaction().execute(async (trx) => {
    const now = clock.date();
    if (note) await addNote(trx, caller, { alertId, note, now });
    if (!canConfirm(alert) || !(await confirmTriggered(trx, caller, alertId, now))) return note !== undefined;
    const { plantId, userId } = caller;
    const target = alert.alarm_name || undefined;
    await audit(trx, { plantId, userId, action: "alert.confirm", detail: { target, alertId, ...change }, now });
    return true;
  });
  if (isChanged) announce(bus, [{ plantId: caller.plantId, deviceId: alert.device_id }]);
};

/** A confirmation by the link in a message. */
interface LinkConfirmation {
  alertId: number;
  deviceId: number;
  note: string | undefined;
  /** Who confirms and by what message, for the audit log. */
  target: string;
}

/** Confirms an alert, which its author may see, by a message's link. 409 when it does not wait for it any more; the note is then not kept. */
export const confirmByLink = async (
  { db, bus, clock }: Needs,
  author: Author,
  { alertId, deviceId, note, target }: LinkConfirmation,
): Promise<void> => {
  const { plantId, userId } = author;
  await db.transaction().execute(async (trx) => {
    const now = clock.date();
    if (!(await confirmTriggered(trx, author, alertId, now)))
      throw conflict("This alert has been confirmed or cleared meanwhile. Nothing was changed");
    if (note) await addNote(trx, author, { alertId, note, now });
    await audit(trx, { plantId, userId, action: "alert.confirm", detail: { target, alertId, ...change }, now });
  });
  announce(bus, [{ plantId, deviceId }]);
};

/**
 * Confirms every triggered alert in the account's scope in one statement, or those up to `untilId`, but silenced ones; returns how many. Alerts locked by
 * a concurrent confirmation or clearing are skipped: waiting for them could deadlock.
 */
export const confirmAll = async ({ db, bus, clock }: Needs, caller: Caller, untilId?: number): Promise<number> => {
  const { plantId, userId } = caller;
  const now = clock.date();
  const waiting = alertsInScope(db, caller)
    .where("alerts.status", "=", triggered)
    .$call(notSilenced(db, { plantId, now }))
    .$call(when(untilId, (q, until) => q.where("alerts.alert_id", "<=", until)))
    .select("alerts.alert_id")
    .forUpdate("alerts")
    .skipLocked();
  const rows = await db.transaction().execute(async (trx) => {
    const found = await trx
      .updateTable("alerts")
      .set(columnsOf(confirmationBy(caller, now)))
      .where("alert_id", "in", waiting)
      .returning("device_id")
      .execute();
    const detail = { after: { alerts: found.length } };
    if (found.length > 0) await audit(trx, { plantId, userId, action: "alert.confirmAll", detail, now });
    return found;
  });
  announce(
    bus,
    rows.map((row) => ({ plantId, deviceId: row.device_id })),
  );
  return rows.length;
};
