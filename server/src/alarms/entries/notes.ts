import { isAllowed } from "@telltale/contract/permissions";
import { userNameIn } from "../../access/index.ts";
import { audit } from "../../platform/database/audit.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { notFound } from "../../platform/http/api-error.ts";
import type { Caller } from "../../platform/http/caller.ts";
import type { World } from "../../world.ts";
import { announce, assignTo } from "../lifecycle.ts";
import { alertsInScope } from "../log/filter.ts";

type Needs = Pick<World, "db" | "bus" | "clock">;

/** Who does something with an alert: an account, or a contact. */
export interface Author {
  plantId: number;
  /** Null, like the account, for a contact. */
  userId: number | null;
  accountId: number | null;
  /** A contact's name. */
  name?: string;
}

interface Note {
  alertId: number;
  note: string;
  now: Date;
}

/** An alert in the account's scope, for a change of its entry; 404 for any other id. */
const alertOf = async (db: Database, caller: Caller, alertId: number) => {
  const alert = await alertsInScope(db, caller)
    .where("alerts.alert_id", "=", alertId)
    .select(["alerts.alert_id", "alerts.device_id", "alerts.alarm_name", "alerts.assigned_to"])
    .executeTakeFirst();
  if (!alert) throw notFound();
  return alert;
};

/** Adds a note to an alert that its author may see, in the caller's transaction. */
export const addNote = async (db: Database, author: Author, { alertId, note, now }: Note): Promise<void> => {
  const { plantId, userId, accountId, name } = author;
  await db
    .insertInto("alert_events")
    .values({ alert_id: alertId, kind: "note", account_id: accountId, by_name: name ?? null, note, created_time: now })
    .execute();
  await audit(db, {
    plantId,
    userId,
    action: "alert.note",
    detail: { ...(name === undefined ? {} : { target: name }), alertId, note },
    now,
  });
};

/** Adds a note to an alert in the account's scope. */
export const note = async ({ db, bus, clock }: Needs, caller: Caller, alertId: number, text: string): Promise<void> => {
  const alert = await alertOf(db, caller, alertId);
  await db.transaction().execute((trx) => addNote(trx, caller, { alertId, note: text, now: clock.date() }));
  announce(bus, [{ plantId: caller.plantId, deviceId: alert.device_id }]);
};

/** Active accounts of the plant that may confirm alerts, by name. Viewers get themselves only: whose addresses these are is not for them. */
export const assignees = async (db: Database, caller: Caller): Promise<{ accountId: number; name: string }[]> => {
  const isViewer = !isAllowed("devices.list", caller);
  const rows = await db
    .selectFrom("accounts")
    .innerJoin("users", "users.user_id", "accounts.user_id")
    .where("accounts.plant_id", "=", caller.plantId)
    .where("accounts.activate", "=", true)
    .where("accounts.removed_time", "is", null)
    .$if(isViewer, (q) => q.where("accounts.account_id", "=", caller.accountId))
    .select(["accounts.account_id", userNameIn("users").as("name")])
    .orderBy("name")
    .execute();
  return rows.map(({ account_id, name }) => ({ accountId: account_id, name: name ?? "" }));
};

/** Assigns an alert in the account's scope to an account of the plant, or to nobody. */
export const assign = async (
  { db, bus, clock }: Needs,
  caller: Caller,
  alertId: number,
  accountId: number | undefined,
): Promise<void> => {
  const alert = await alertOf(db, caller, alertId);
  const subject = accountId ?? null;
  if (subject !== null && !(await assignees(db, caller)).some((each) => each.accountId === subject)) throw notFound();
  if (alert.assigned_to === subject) return;
  const now = clock.date();
  await db.transaction().execute(async (trx) => {
    await assignTo(trx, alertId, subject);
    const event = { kind: "assigned", account_id: caller.accountId, subject_id: subject } as const;
    await trx
      .insertInto("alert_events")
      .values({ alert_id: alertId, ...event, created_time: now })
      .execute();
    const { plantId, userId } = caller;
    const detail = {
      ...{ target: alert.alarm_name || undefined, alertId },
      ...{ before: { accountId: alert.assigned_to }, after: { accountId: subject } },
    };
    await audit(trx, { plantId, userId, action: "alert.assign", detail, now });
  });
  announce(bus, [{ plantId: caller.plantId, deviceId: alert.device_id }]);
};
