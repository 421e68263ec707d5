import type { MessageKind } from "@telltale/contract/domains/support";
import { type Selectable, sql } from "kysely";
import type { Database, Schema } from "../../platform/database/schema/schema.ts";

export type QueuedMessage = Selectable<Schema["outbox"]>;

/** For how long whoever sends a message has it to themselves, milliseconds. Whoever dies meanwhile delays it so long. */
const lease = 60_000;

/** Takes up to `count` messages of a kind that are due; nobody else gets them for a minute. */
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

/** Gives up those of a kind whose sender died between the last byte and the answer: they have most likely arrived, and go out once at most. */
export const giveUpUncertain = (db: Database, kind: MessageKind, now: Date) =>
  db
    .updateTable("outbox")
    .set({ status: "failed", fault: "The server was stopped before it had the answer" })
    .where("kind", "=", kind)
    .where("status", "=", "sending")
    .where("handed_over", "=", true)
    .where("next_time", "<=", now)
    .execute();

/** Whether this alert is not over yet. */
export const isOpenAlert = async (db: Database, alertId: number): Promise<boolean> => {
  const open = db.selectFrom("alerts").select("alert_id").where("alert_id", "=", alertId);
  return (await open.where("cleared_time", "is", null).executeTakeFirst()) !== undefined;
};

/** Takes a message out that nobody needs. */
export const forgo = (db: Database, messageId: number) =>
  db.deleteFrom("outbox").where("message_id", "=", messageId).execute();

/** Writes down what has become of a message. */
export const settle = (
  db: Database,
  messageId: number,
  change: Partial<Pick<QueuedMessage, "status" | "fault" | "next_time" | "handed_over" | "sent_time">>,
) => db.updateTable("outbox").set(change).where("message_id", "=", messageId).execute();

/** Of a message that is sent the links are secrets that nobody needs any more, and so is the rest of its text. */
export const settleSent = (db: Database, messageId: number, now: Date) =>
  db
    .updateTable("outbox")
    .set({ status: "sent", sent_time: now, fault: "", body: "{}" })
    .where("message_id", "=", messageId)
    .execute();

/** Messages are remembered for 90 days. */
const memory = 90 * 86_400_000;

export const forgetOld = (db: Database, now: Date) =>
  db
    .deleteFrom("outbox")
    .where("created_time", "<", new Date(now.getTime() - memory))
    .where("status", "not in", ["waiting", "sending"])
    .execute();
