import { AlertStatus } from "@telltale/contract/alerts";
import type { Scope } from "../devices/scope-queries.ts";
import type { Database } from "../world.ts";
import { alertsInScope } from "./filter-queries.ts";
import type { Confirmation } from "./rules.ts";

/** An entry the account may see; undefined for any other id. */
export const alertById = (db: Database, scope: Scope, alertId: number) =>
  alertsInScope(db, scope)
    .where("alerts.alert_id", "=", alertId)
    .select(["alerts.alert_id", "alerts.status", "alerts.device_id"])
    .executeTakeFirst();

const columnsOf = ({ status, acceptTime, acceptedBy }: Confirmation) => ({
  status,
  accept_time: acceptTime,
  accepted_by: acceptedBy,
});

/** Confirms one entry if it is still triggered: of two people at the same time the first is kept. Says whether it was this one. */
export const saveConfirmation = async (db: Database, alertId: number, confirmed: Confirmation): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("alerts")
    .set(columnsOf(confirmed))
    .where("alert_id", "=", alertId)
    .where("status", "=", AlertStatus.triggered)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/**
 * Confirms every triggered entry the account may see, in one statement. Gives back the device of each. An entry that somebody else is
 * changing at this moment (confirming or clearing it) is left to them, so that nobody waits for anybody in a circle.
 */
export const saveAllConfirmations = async (db: Database, scope: Scope, confirmed: Confirmation): Promise<number[]> => {
  const triggered = alertsInScope(db, scope)
    .where("alerts.status", "=", AlertStatus.triggered)
    .select("alerts.alert_id")
    .forUpdate("alerts")
    .skipLocked();
  const rows = await db
    .updateTable("alerts")
    .set(columnsOf(confirmed))
    .where("alert_id", "in", triggered)
    .returning("device_id")
    .execute();
  return rows.map((row) => row.device_id);
};
