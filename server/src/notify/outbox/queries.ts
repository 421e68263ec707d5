import type { MessageKind } from "@telltale/contract/notification-channels";
import { type Selectable, sql } from "kysely";
import type { Database, Schema } from "../../platform/database/schema/schema.ts";

export type QueuedMessage = Selectable<Schema["outbox"]>;

/** Lease of a message being sent, milliseconds. If its sender dies, the message is retried after this. */
const lease = 60_000;

/** Takes up to `count` due messages of a kind and leases them for a minute. */
export const takeDue = async (
  db: Database,
  kind: MessageKind,
  { now, count }: { now: Date; count: number },
): Promise<QueuedMessage[]> =>
  db
    .updateTable("outbox")
    .set({
      status: "sending",
      tries: sql<number>`tries + 1`,
      next_time: new Date(now.getTime() + lease),
    })
    .where("message_id", "in", (due) =>
      due
        .selectFrom("outbox")
        .select("message_id")
        .where("kind", "=", kind)
        .where("status", "in", ["waiting", "sending"])
        .where("handed_over", "=", false)
        .where("next_time", "<=", now)
        .orderBy("next_time")
        .limit(count)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute();

/** Marks messages as failed whose sender died between the last byte and the answer: they most likely arrived, and are sent at most once. */
export const giveUpUncertain = (db: Database, kind: MessageKind, now: Date) =>
  db
    .updateTable("outbox")
    .set({ status: "failed", fault: "Unknown whether it arrived: the server stopped before it got the answer" })
    .where("kind", "=", kind)
    .where("status", "=", "sending")
    .where("handed_over", "=", true)
    .where("next_time", "<=", now)
    .execute();

/** Whether this alert is still open. */
export const isOpenAlert = async (db: Database, alertId: number): Promise<boolean> => {
  const open = db.selectFrom("alerts").select("alert_id").where("alert_id", "=", alertId);
  return (await open.where("cleared_time", "is", null).executeTakeFirst()) !== undefined;
};

/** Deletes a message that is no longer needed. */
export const dropMessage = (db: Database, messageId: number) =>
  db.deleteFrom("outbox").where("message_id", "=", messageId).execute();

/** Records the outcome of a message. */
export const settle = (
  db: Database,
  messageId: number,
  change: Partial<Pick<QueuedMessage, "status" | "fault" | "next_time" | "handed_over" | "sent_time">>,
) => db.updateTable("outbox").set(change).where("message_id", "=", messageId).execute();

/** Marks a message as sent and empties it: its links are secrets that are no longer needed. */
export const settleSent = (db: Database, messageId: number, now: Date) =>
  db
    .updateTable("outbox")
    .set({ status: "sent", sent_time: now, fault: "", body: "{}" })
    .where("message_id", "=", messageId)
    .execute();

/** Messages are kept for 90 days. */
const memory = 90 * 86_400_000;

export const deleteOldMessages = (db: Database, now: Date) =>
  db
    .deleteFrom("outbox")
    .where("created_time", "<", new Date(now.getTime() - memory))
    .where("status", "not in", ["waiting", "sending"])
    .execute();
