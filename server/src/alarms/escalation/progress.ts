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

/** Has the escalation of all alerts that follow this plan look again: its steps have changed. */
export const replanEscalations = async (db: Database, plantId: number, now: Date): Promise<void> => {
  await sql`
    update escalations e set due_time = ${now} from alerts a
     where a.alert_id = e.alert_id and a.plant_id = ${plantId} and a.cleared_time is null and a.accept_time is null`.execute(
    db,
  );
};
