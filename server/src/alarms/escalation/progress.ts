import { TargetKind } from "@telltale/contract/domains/alerting/escalation";
import { sql } from "kysely";
import type { Database } from "../../platform/database/schema/schema.ts";

/** Has the escalation look at these alerts at once: they have cleared. */
export const wakeEscalations = async (db: Database, alertIds: readonly number[], now: Date): Promise<void> => {
  if (alertIds.length === 0) return;
  await db
    .updateTable("escalations")
    .set({ due_time: now })
    .where(sql<boolean>`alert_id = any(${[...alertIds]}::bigint[])`)
    .execute();
};

/** Ends the escalation of these alerts without a word: what they were about is no longer there. */
export const endEscalations = async (db: Database, alertIds: readonly number[]): Promise<void> => {
  if (alertIds.length === 0) return;
  await db
    .deleteFrom("escalations")
    .where(sql<boolean>`alert_id = any(${[...alertIds]}::bigint[])`)
    .execute();
};

/**
 * Has the escalation of all alerts that wait look again: the steps of a plan have changed. Rows that another transaction moves meanwhile are left to it:
 * waiting for one that clears alerts could deadlock with it.
 */
export const replanEscalations = async (db: Database, plantId: number, now: Date): Promise<void> => {
  await sql`
    update escalations set due_time = ${now} where alert_id in (
      select e.alert_id from escalations e join alerts a using (alert_id)
       where a.plant_id = ${plantId} and a.cleared_time is null and a.accept_time is null
       order by e.alert_id for update of e skip locked)`.execute(db);
};

/**
 * Has escalations go on that have begun in the future, because the server's clock was set back since: their next step comes at its distance from now.
 */
export const recallEscalations = async (db: Database, now: Date): Promise<void> => {
  await sql`
    update escalations set started_time = ${now}, due_time = least(due_time, ${now}) where alert_id in (
      select alert_id from escalations where started_time > ${now} order by alert_id for update skip locked)`.execute(
    db,
  );
};

/** Gives a new plant its default plan, so that no alert notifies nobody: its owner and admins by mail, at once. Call in the plant's transaction. */
export const addDefaultPlan = async (db: Database, plantId: number, now: Date): Promise<void> => {
  const steps = [{ after: 0, to: [{ kind: TargetKind.managers, id: 0 }] }];
  await db
    .insertInto("plans")
    .values({
      plant_id: plantId,
      plan_name: "Plant default",
      is_default: true,
      steps: JSON.stringify(steps),
      created_time: now,
      repeat_every: null,
    })
    .onConflict((same) => same.doNothing())
    .execute();
};

/**
 * Looks after what an older server beside this one leaves: alerts that it has cleared without waking their escalation, and plants that it has made
 * without a default plan.
 */
export const mendEscalations = async (db: Database, now: Date): Promise<void> => {
  await sql`
    update escalations set due_time = ${now} where alert_id in (
      select e.alert_id from escalations e join alerts a using (alert_id)
       where e.due_time is null and a.cleared_time is not null order by e.alert_id for update of e skip locked)`.execute(
    db,
  );
  const { rows } = await sql<{ plant_id: number }>`
    select plant_id from plants where not exists (select from plans where plans.plant_id = plants.plant_id and plans.is_default)`.execute(
    db,
  );
  for (const { plant_id } of rows) await addDefaultPlan(db, plant_id, now);
};

/**
 * Has the plans of standing alerts go on after a silence that was ended by hand: whoever ended it knows of them, so the first step is left out, but
 * they escalate if nobody confirms them.
 */
export const resumeEscalations = async (
  db: Database,
  { ruleKeys, deviceIds }: { ruleKeys: readonly string[]; deviceIds: readonly number[] },
  now: Date,
): Promise<void> => {
  await sql`
    insert into escalations (alert_id, started_time, position, due_time)
    select alert_id, ${now}, 1, ${now} from alerts
     where (rule_key = any(${[...ruleKeys]}::text[]) or device_id = any(${[...deviceIds]}::int[]))
       and cleared_time is null and accept_time is null order by alert_id
    on conflict (alert_id) do update set started_time = excluded.started_time, position = 1, due_time = excluded.due_time`.execute(
    db,
  );
};
