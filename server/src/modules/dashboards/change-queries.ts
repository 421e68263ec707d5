import { sql } from "kysely";
import type { Database } from "../../platform/database/schema/schema.ts";

/** What a change sets beside the version, which it raises. */
interface Fields {
  name?: string;
  notes?: string;
  is_default?: boolean;
  now: Date;
}

const raised = sql<number>`version + 1`;

/** Writes a change of a dashboard. */
export const changeDashboard = async (db: Database, dashboardId: number, { now, ...fields }: Fields): Promise<void> => {
  await db
    .updateTable("dashboards")
    .set({ ...fields, modified_time: now, version: raised })
    .where("dashboard_id", "=", dashboardId)
    .execute();
};

/** Takes the default from whichever dashboard of the plant has it. */
export const takeDefault = async (db: Database, plantId: number, now: Date): Promise<void> => {
  await db
    .updateTable("dashboards")
    .set({ is_default: false, modified_time: now, version: raised })
    .where("plant_id", "=", plantId)
    .where("is_default", "=", true)
    .execute();
};

/** How many dashboards the plant has. */
export const dashboardCount = async (db: Database, plantId: number): Promise<number> => {
  const { count } = await db
    .selectFrom("dashboards")
    .where("plant_id", "=", plantId)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
};

/** Deletes a dashboard; accounts that it was assigned to see the default. */
export const deleteDashboard = async (db: Database, dashboardId: number): Promise<void> => {
  await db
    .updateTable("accounts")
    .set({ dashboard_id: null, version: raised })
    .where("dashboard_id", "=", dashboardId)
    .execute();
  await db.deleteFrom("dashboards").where("dashboard_id", "=", dashboardId).execute();
};
