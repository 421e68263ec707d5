import { MessageKind } from "@telltale/contract/domains/support";
import { CompiledQuery, sql } from "kysely";
import { chargeSms, Movement } from "../../modules/billing/index.ts";
import { insertAlertsWithNotifications } from "../../notify/index.ts";
import type { Database } from "../../platform/database/schema/schema.ts";

/** What is there already of the past: alerts that the fleet has raised while it wrote it are told now, if at all. */
const takeOut = (db: Database, begun: Date) =>
  db
    .deleteFrom("outbox")
    .where("status", "in", ["waiting", "kept"])
    .where(sql<boolean>`(body -> 'alert' ->> 'time')::float8 < ${begun.getTime()}::float8`)
    .returning("message_id")
    .execute();

/** SMS that were charged while the past was written: the ledger is never changed. */
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

/** Alerts of the past that somebody was to be told of: the rule that says so was there already. */
const toTell = async (db: Database, begun: Date): Promise<number[]> => {
  const { rows } = await sql<{ alert_id: number }>`
    select alert_id from alerts a where created_time < ${begun} and exists (
      select from alarms m where m.plant_id = a.plant_id and m.created_time <= a.created_time
         and (m.alarm_id = a.alarm_id or m.device_id = a.device_id and m.alarm_class = a.alarm_class and m.channel_id is null))
     order by created_time, alert_id`.execute(db);
  return rows.map((row) => row.alert_id);
};

/** The statement that tells of new alerts, for one that is there; seconds pass from the alert to its message. */
const tellAgain = insertAlertsWithNotifications(
  "UPDATE alerts SET msg = msg WHERE alert_id = $1",
  "(SELECT created_time + interval '2 seconds' FROM alerts WHERE alert_id = $1)",
);

/** Messages that are there are kept: whatever a server sends mail with, nobody gets mail about something that happened before it was there. */
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

/** Has the alerts of the past told at their time, and SMS charged then. */
export const tellPast = async (db: Database, begun: Date): Promise<void> => {
  const charged = await chargedNow(db, await takeOut(db, begun));
  for (const alertId of await toTell(db, begun)) await db.executeQuery(CompiledQuery.raw(tellAgain, [alertId]));
  const sms = (await keep(db, begun)).filter(({ kind }) => kind === MessageKind.sms);
  for (const { message_id: messageId, plant_id: plantId, created_time: now } of sms.slice(0, sms.length - charged))
    if (plantId !== null) await chargeSms(db, { plantId, messageId, now });
};
