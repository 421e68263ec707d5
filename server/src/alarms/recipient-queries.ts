import { sql } from "kysely";
import type { Database } from "../world.ts";

/** Whether all of these are contacts of the plant; they stay so until the transaction ends. */
export const arePlantsContacts = async (
  db: Database,
  plantId: number,
  contactIds: readonly number[],
): Promise<boolean> => {
  const wanted = [...new Set(contactIds)];
  const found = await db
    .selectFrom("contacts")
    .select("contact_id")
    .where("plant_id", "=", plantId)
    .where(sql<boolean>`contact_id = any(${wanted}::int[])`)
    .orderBy("contact_id")
    .forKeyShare()
    .execute();
  return found.length === wanted.length;
};

/** Makes these contacts the alarm's recipients. */
export const setRecipients = async (db: Database, alarmId: number, contactIds: readonly number[]): Promise<void> => {
  await db.deleteFrom("alarm_recipients").where("alarm_id", "=", alarmId).execute();
  const rows = [...new Set(contactIds)].map((contact_id) => ({ alarm_id: alarmId, contact_id }));
  if (rows.length > 0) await db.insertInto("alarm_recipients").values(rows).execute();
};
