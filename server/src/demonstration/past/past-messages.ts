import { MessageKind } from "@telltale/contract/notification-channels";
import { CompiledQuery, sql } from "kysely";
import { chargeSms, Movement } from "../../modules/billing/index.ts";
import { insertNotificationsOfPast } from "../../notify/index.ts";
import type { Database } from "../../platform/database/schema/schema.ts";

/** Alerts of the past. */
const pastAlerts = (db: Database, begun: Date) =>
  db.selectFrom("alerts").select("alert_id").where("created_time", "<", begun);

/** Removes messages about past alerts that were queued while the fleet wrote the past, and what their plans would have sent since. */
const removeQueued = async (db: Database, begun: Date): Promise<{ message_id: number }[]> => {
  await db.deleteFrom("escalations").where("alert_id", "in", pastAlerts(db, begun)).execute();
  const removed = await db
    .deleteFrom("outbox")
    .where("status", "in", ["waiting", "kept", "held", "listed"])
    .where("alert_id", "in", pastAlerts(db, begun))
    .returning(["message_id", "digest_id"])
    .execute();
  const digests = removed.flatMap(({ digest_id }) => digest_id ?? []);
  const ofDigests = sql<boolean>`message_id = any(${digests}::bigint[])`;
  await db.deleteFrom("outbox").where("status", "in", ["waiting", "kept"]).where(ofDigests).execute();
  return removed;
};

/** Number of SMS already charged for such messages: ledger entries are never changed. */
const chargedNow = async (db: Database, messages: readonly { message_id: number }[]): Promise<number> => {
  if (messages.length === 0) return 0;
  const { count } = await db
    .selectFrom("ledger")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("kind", "=", Movement.smsUsed)
    .where(
      "message_id",
      "in",
      messages.map(({ message_id }) => message_id),
    )
    .executeTakeFirstOrThrow();
  return Number(count);
};

/** Past alerts with a rule that existed then and notifies recipients. */
const alertsToNotify = async (db: Database, begun: Date): Promise<number[]> => {
  const { rows } = await sql<{ alert_id: number }>`
    select alert_id from alerts a where created_time < ${begun} and exists (
      select from alarms m where m.plant_id = a.plant_id and m.created_time <= a.created_time
         and (m.alarm_id = a.alarm_id or m.device_id = a.device_id and m.alarm_class = a.alarm_class and m.channel_id is null))
     order by created_time, alert_id`.execute(db);
  return rows.map((row) => row.alert_id);
};

/** Queues the notifications of an existing alert, two seconds after it. */
const requeueNotifications = insertNotificationsOfPast(
  "r.alert_id = $1",
  "(SELECT created_time + interval '2 seconds' FROM alerts WHERE alert_id = $1)",
);

/** Marks messages of the past as kept, so that they are never sent, even with a mail server. */
const keep = async (db: Database, begun: Date) =>
  (
    await db
      .updateTable("outbox")
      .set({ status: "kept", tries: 1 })
      .where("status", "=", "waiting")
      .where("created_time", "<", begun)
      .returning(["message_id", "plant_id", "kind", "created_time"])
      .execute()
  ).toSorted((a, b) => a.created_time.getTime() - b.created_time.getTime());

/** Creates the notifications of past alerts with their times, and their SMS charges. */
export const notifyPast = async (db: Database, begun: Date): Promise<void> => {
  const charged = await chargedNow(db, await removeQueued(db, begun));
  for (const alertId of await alertsToNotify(db, begun))
    await db.executeQuery(CompiledQuery.raw(requeueNotifications, [alertId]));
  const sms = (await keep(db, begun)).filter(({ kind }) => kind === MessageKind.sms);
  for (const { message_id: messageId, plant_id: plantId, created_time: now } of sms.slice(0, sms.length - charged))
    if (plantId !== null) await chargeSms(db, { plantId, messageId, now });
};
