import { AlertStatus } from "@telltale/contract/domains/alerts";
import type { Scope } from "../access/index.ts";
import { when } from "../platform/database/paging.ts";
import { notFound } from "../platform/http/api-error.ts";
import type { Caller } from "../platform/http/caller.ts";
import type { World } from "../world.ts";
import { addNote } from "./entries/notes.ts";
import { announce } from "./lifecycle.ts";
import { alertsInScope, notSilenced } from "./log/filter.ts";
import { type Confirmation, canConfirm, confirmationBy } from "./rules/transitions.rules.ts";

type Needs = Pick<World, "db" | "bus" | "clock">;

const alertById = (db: World["db"], scope: Scope, alertId: number) =>
  alertsInScope(db, scope)
    .where("alerts.alert_id", "=", alertId)
    .select(["alerts.alert_id", "alerts.status", "alerts.device_id"])
    .executeTakeFirst();

const columnsOf = ({ status, acceptTime, acceptedBy }: Confirmation) => ({
  status,
  accept_time: acceptTime,
  accepted_by: acceptedBy,
});

/**
 * Confirms one alert in the account's scope, if it is still triggered; of two concurrent confirmations the first is kept. 404 for any other id. A note
 * is kept in any case.
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
    if (!canConfirm(alert)) return note !== undefined;
    const { numUpdatedRows } = await trx
      .updateTable("alerts")
      .set(columnsOf(confirmationBy(caller.accountId, now)))
      .where("alert_id", "=", alertId)
      .where("status", "=", AlertStatus.triggered)
      .executeTakeFirst();
    return numUpdatedRows > 0n || note !== undefined;
  });
  if (isChanged) announce(bus, [{ plantId: caller.plantId, deviceId: alert.device_id }]);
};

/**
 * Confirms every triggered alert in the account's scope in one statement, or those up to `untilId`, but silenced ones; returns how many. Alerts locked by
 * a concurrent confirmation or clearing are skipped: waiting for them could deadlock.
 */
export const confirmAll = async ({ db, bus, clock }: Needs, caller: Caller, untilId?: number): Promise<number> => {
  const triggered = alertsInScope(db, caller)
    .where("alerts.status", "=", AlertStatus.triggered)
    .$call(notSilenced(db, { plantId: caller.plantId, now: clock.date() }))
    .$call(when(untilId, (q, until) => q.where("alerts.alert_id", "<=", until)))
    .select("alerts.alert_id")
    .forUpdate("alerts")
    .skipLocked();
  const rows = await db
    .updateTable("alerts")
    .set(columnsOf(confirmationBy(caller.accountId, clock.date())))
    .where("alert_id", "in", triggered)
    .returning("device_id")
    .execute();
  announce(
    bus,
    rows.map((row) => ({ plantId: caller.plantId, deviceId: row.device_id })),
  );
  return rows.length;
};
