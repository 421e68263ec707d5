import { AlertStatus } from "@telltale/contract/domains/alerts";
import type { Scope } from "../access/index.ts";
import { notFound } from "../platform/http/api-error.ts";
import type { Caller } from "../platform/http/caller.ts";
import type { World } from "../world.ts";
import { announce } from "./lifecycle.ts";
import { alertsInScope } from "./log/filter.ts";
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

/** Confirms one alert in the account's scope, if it is still triggered; of two concurrent confirmations the first is kept. 404 for any other id. */
export const confirm = async ({ db, bus, clock }: Needs, caller: Caller, alertId: number): Promise<void> => {
  const alert = await alertById(db, caller, alertId);
  if (!alert) throw notFound();
  if (!canConfirm(alert)) return;
  const { numUpdatedRows } = await db
    .updateTable("alerts")
    .set(columnsOf(confirmationBy(caller.accountId, clock.date())))
    .where("alert_id", "=", alertId)
    .where("status", "=", AlertStatus.triggered)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) announce(bus, [{ plantId: caller.plantId, deviceId: alert.device_id }]);
};

/**
 * Confirms every triggered alert in the account's scope in one statement; returns how many. Alerts locked by a concurrent confirmation or clearing
 * are skipped: waiting for them could deadlock.
 */
export const confirmAll = async ({ db, bus, clock }: Needs, caller: Caller): Promise<number> => {
  const triggered = alertsInScope(db, caller)
    .where("alerts.status", "=", AlertStatus.triggered)
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
