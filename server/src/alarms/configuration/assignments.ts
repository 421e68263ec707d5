import { sql } from "kysely";
import type { Database } from "../../platform/database/schema/schema.ts";

/** Whether all of these are contacts of the plant. Locks them until the transaction ends. */
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

/** Reads an alarm of the plant and locks it until the transaction ends. */
export const lockAlarm = (db: Database, plantId: number, alarmId: number) =>
  db
    .selectFrom("alarms")
    .where("plant_id", "=", plantId)
    .where("alarm_id", "=", alarmId)
    .select(["alarm_class", "device_id", "channel_id", "plan_id", "is_enabled", "version"])
    .select(["condition", "type", "alarm_value", "alarm_hysteresis"])
    .select(["on_delay", "off_delay", "times", "times_within"])
    .select(["gate_channel_id", "gate_type", "gate_value", "start_up"])
    .forUpdate()
    .executeTakeFirst();

/**
 * Removes an alarm from the accounts it is assigned to and raises their versions, so that concurrent edits of these accounts conflict. Call before
 * locking the alarm: lock order is account, then alarm.
 */
export const forgetAssignments = async (db: Database, plantId: number, alarmId: number): Promise<void> => {
  const assigned = await db
    .selectFrom("accounts")
    .where("plant_id", "=", plantId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("account_alarms")
          .select("alarm_id")
          .whereRef("account_alarms.account_id", "=", "accounts.account_id")
          .where("alarm_id", "=", alarmId),
      ),
    )
    .select("account_id")
    .orderBy("account_id")
    .forNoKeyUpdate()
    .execute();
  const accountIds = assigned.map(({ account_id }) => account_id);
  await db
    .updateTable("accounts")
    .set({ version: sql<number>`version + 1` })
    .where(sql<boolean>`account_id = any(${accountIds}::int[])`)
    .execute();
  await db
    .deleteFrom("account_alarms")
    .where("alarm_id", "=", alarmId)
    .where(sql<boolean>`account_id = any(${accountIds}::int[])`)
    .execute();
};
