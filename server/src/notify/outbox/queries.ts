import type { SilentNow } from "@telltale/contract/domains/alerting/silent-now";
import { ContactStatus } from "@telltale/contract/domains/people/contacts";
import { MessageKind } from "@telltale/contract/notification-channels";
import { type Selectable, sql } from "kysely";
import type { Database, Schema } from "../../platform/database/schema/schema.ts";
import { recipientName } from "./recipient-name-sql.ts";

interface Failed {
  kind: SilentNow["failed"][number]["kind"];
  recipient: string;
  name: string | null;
  messages: number;
  since: Date;
  last_time: Date;
  fault: string;
}

/** Whether somebody of the plant would still be notified at the address of a message `o`. */
const isStillNotified = sql<boolean>`case o.kind
  when ${sql.lit(MessageKind.webhook)} then exists (select from webhooks w where w.plant_id = o.plant_id and w.webhook_id::text = o.recipient and w.is_enabled)
  -- A browser that is gone was subscribed again, or its user does without.
  when ${sql.lit(MessageKind.push)} then exists (select from push_subscriptions p where p.push_id::text = o.recipient)
  else exists (select from contacts c where c.plant_id = o.plant_id and c.type = o.kind and lower(c.contact_info) = lower(o.recipient)
                  and c.status = ${sql.lit(ContactStatus.verified)})
    or (o.kind = ${sql.lit(MessageKind.mail)} and exists (select from users u join accounts a using (user_id)
          where a.plant_id = o.plant_id and a.activate and a.removed_time is null and lower(u.email) = lower(o.recipient))) end`;

/**
 * Addresses of the plant at which messages about alerts, and summaries of them, do not arrive: what was given up since the last one that did, by address,
 * the latest first. Addresses of people who are no longer notified are left out. The outbox forgets in time, and so does this.
 */
export const failedDeliveries = async (db: Database, plantId: number): Promise<SilentNow["failed"]> => {
  const { rows } = await sql<Failed>`
    select o.kind, o.recipient, count(*)::int as messages, min(o.created_time) as since, max(o.created_time) as last_time,
           (array_agg(o.fault order by o.message_id desc))[1] as fault,
           ${recipientName} as name
      from outbox o
     where o.plant_id = ${plantId} and o.status = 'failed' and (o.alert_id is not null or o.body->'digest' is not null)
       and ${isStillNotified}
       and not exists (select from outbox s where s.plant_id = ${plantId} and s.kind = o.kind and s.recipient = o.recipient
                          and s.status = 'sent' and s.message_id > o.message_id)
     group by o.plant_id, o.kind, o.recipient order by max(o.message_id) desc`.execute(db);
  return rows.map(({ last_time: lastTime, ...row }) => ({ ...row, lastTime }));
};

export type QueuedMessage = Selectable<Schema["outbox"]>;

/** How long a message is retried, milliseconds since it was written. */
export const retryPeriod = 48 * 3_600_000;

/** Whether there are messages of this kind that are not done with, or summaries to be written. */
export const hasOpenMessages = async (db: Database, kind: MessageKind): Promise<boolean> => {
  const { rows } = await sql<{ open: boolean }>`
    select exists (select from outbox where kind = ${kind} and status in ('waiting', 'sending'))
        or exists (select from outbox_folds where kind = ${kind}) as open`.execute(db);
  return rows[0]?.open ?? false;
};

/** Lease of a message being sent, milliseconds. If its sender dies, the message is retried after this. */
const lease = 60_000;

/** Due messages of a kind. */
interface Due {
  now: Date;
  /** Most messages. */
  count: number;
  /** Most messages of one plant. */
  perPlant: number;
  /** Plant that was served last; the ones after it have their turn first. */
  after: number;
}

/** A due message. */
export interface Turn {
  message_id: number;
  /** 0 for messages about users' accounts, which have a turn like a plant. */
  plant: number;
}

const plant = sql<number>`coalesce(plant_id, 0)`;
/** Messages that may be taken; leased ones are taken again when their lease has ended. */
const open = sql<boolean>`status in ('waiting', 'sending') and not handed_over`;

/**
 * Due messages in the order in which they are sent: one of each plant, then a second one of each, so that a plant with thousands of messages delays
 * nobody else's. Plants are found by skipping through the index: reading all due messages each time would be too slow while there are many.
 */
export const dueTurns = async (
  db: Database,
  kind: MessageKind,
  { now, count, perPlant, after }: Due,
): Promise<Turn[]> => {
  const least = (above: ReturnType<typeof sql>) =>
    sql`(select ${plant} from outbox where kind = ${kind} and status in ('waiting', 'sending') and ${plant} > ${above} order by ${plant} limit 1)`;
  const { rows } = await sql<Turn>`
    with recursive waiting(plant) as (
      select ${least(sql`-1`)} union all select ${least(sql`waiting.plant`)} from waiting where plant is not null)
    select m.message_id, w.plant from waiting w cross join lateral (
        select message_id, next_time, row_number() over (order by next_time) as turn from (
          select message_id, next_time from outbox
           where kind = ${kind} and ${plant} = w.plant and ${open} and next_time <= ${now} order by next_time limit ${perPlant}) as oldest) as m
     order by m.turn, w.plant <= ${after}, w.plant limit ${count}`.execute(db);
  return rows;
};

/** Leases those of these messages for a minute that are still due. */
export const takeMessages = (db: Database, turns: readonly Turn[], now: Date): Promise<QueuedMessage[]> =>
  db
    .updateTable("outbox")
    .set({
      status: "sending",
      tries: sql<number>`tries + 1`,
      next_time: new Date(now.getTime() + lease),
    })
    .where(
      "message_id",
      "in",
      turns.map(({ message_id }) => message_id),
    )
    // Another sender may have taken one since.
    .where(open)
    .where("next_time", "<=", now)
    .returningAll()
    .execute();

/** Has messages sent now that were written in the future, because the server's clock was set back since; leased ones after a lease from now. */
export const recallMessages = (db: Database, kind: MessageKind, now: Date) =>
  db
    .updateTable("outbox")
    .set({
      next_time: sql<Date>`case when status = 'sending' then ${new Date(now.getTime() + lease)}::timestamptz else ${now}::timestamptz end`,
    })
    .where("kind", "=", kind)
    .where(open)
    .where("created_time", ">", now)
    .where("next_time", ">", now)
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

/**
 * The message as it was taken: another sender that took it after the lease has raised its tries. Its outcome may have been given up as uncertain
 * while this sender stood still, and is known now.
 */
const asTaken = ({ message_id, tries }: Taken) =>
  sql<boolean>`message_id = ${message_id} and tries = ${tries} and (status = 'sending' or (status = 'failed' and handed_over))`;

type Taken = Pick<QueuedMessage, "message_id" | "tries">;

/** Deletes a message that is no longer needed; false where another sender has taken it since. */
export const dropMessage = async (db: Database, message: Taken): Promise<boolean> => {
  const { numDeletedRows } = await db.deleteFrom("outbox").where(asTaken(message)).executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
};

/** Records the outcome of a message; false where another sender has taken it since. */
export const settle = async (
  db: Database,
  message: Taken,
  change: Partial<Pick<QueuedMessage, "status" | "fault" | "next_time" | "handed_over" | "sent_time">>,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("outbox")
    .set(change)
    .where(asTaken(message))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
};

/** Marks a message as sent and empties it: its links are secrets that are no longer needed. */
export const settleSent = (db: Database, message: Taken, now: Date) =>
  db
    .updateTable("outbox")
    .set({ status: "sent", sent_time: now, fault: "", body: "{}" })
    .where(asTaken(message))
    .execute();

/** Messages are kept for 90 days. */
const memory = 90 * 86_400_000;

export const deleteOldMessages = (db: Database, now: Date) =>
  db
    .deleteFrom("outbox")
    .where("created_time", "<", new Date(now.getTime() - memory))
    .where("status", "not in", ["waiting", "sending"])
    .execute();
