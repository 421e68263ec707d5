import { sql } from "kysely";
import type { Database } from "../../platform/database/schema/schema.ts";

/** Fields of a change, which also raises the version. */
interface Fields {
  name?: string;
  notes?: string;
  is_default?: boolean;
  now: Date;
}

const raised = sql<number>`version + 1`;

/** Updates a dashboard. */
export const changeDashboard = async (db: Database, dashboardId: number, { now, ...fields }: Fields): Promise<void> => {
  await db
    .updateTable("dashboards")
    .set({ ...fields, modified_time: now, version: raised })
    .where("dashboard_id", "=", dashboardId)
    .execute();
};

/** Removes the default mark from the plant's default dashboard. */
export const takeDefault = async (db: Database, plantId: number, now: Date): Promise<void> => {
  await db
    .updateTable("dashboards")
    .set({ is_default: false, modified_time: now, version: raised })
    .where("plant_id", "=", plantId)
    .where("is_default", "=", true)
    .execute();
};

/** Number of the plant's dashboards. */
export const dashboardCount = async (db: Database, plantId: number): Promise<number> => {
  const { count } = await db
    .selectFrom("dashboards")
    .where("plant_id", "=", plantId)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
};

/** Deletes a dashboard; accounts assigned to it see the default one. */
export const deleteDashboard = async (db: Database, dashboardId: number): Promise<void> => {
  await db
    .updateTable("accounts")
    .set({ dashboard_id: null, version: raised })
    .where("dashboard_id", "=", dashboardId)
    .execute();
  await db.deleteFrom("dashboards").where("dashboard_id", "=", dashboardId).execute();
};
