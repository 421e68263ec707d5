import { sql } from "kysely";
import { announceChange } from "../../../platform/database/audit.ts";
import type { Database } from "../../../platform/database/schema/schema.ts";

/** Kinds of ledger entries, as stored in `ledger.kind`. */
export const Movement = { paid: 1, smsBought: 2, smsGiven: 3, smsUsed: 4, smsReturned: 5 } as const;

/** Records the payment of an order; idempotent. Amount in cents. */
export const bookPayment = async (
  db: Database,
  { plantId, orderId, cents, now }: { plantId: number; orderId: number; cents: number; now: Date },
): Promise<void> => {
  const movement = { plant_id: plantId, kind: Movement.paid, cents, order_id: orderId, created_time: now };
  await db.insertInto("ledger").values(movement).execute();
};

interface SmsMovement {
  plantId: number;
  kind: (typeof Movement)["smsBought" | "smsGiven" | "smsUsed" | "smsReturned"];
  /** Negative for usage. */
  sms: number;
  orderId?: number;
  messageId?: number;
  now: Date;
}

/**
 * Changes a plant's SMS credit and records it, in the caller's transaction. Returns the remaining credit; undefined, without a change, when there is
 * too little. Concurrent changes of a plant's credit are serialised.
 */
const moveCredit = async (db: Database, movement: SmsMovement): Promise<number | undefined> => {
  const { plantId, kind, sms, orderId, messageId, now } = movement;
  const credit = await db
    .updateTable("sms_credit")
    .set({ sms_left: sql<number>`sms_left + ${sms}` })
    .where("plant_id", "=", plantId)
    .where(sql<boolean>`sms_left + ${sms} >= 0`)
    .returning("sms_left")
    .executeTakeFirst();
  if (!credit) return undefined;
  const entry = { plant_id: plantId, kind, sms, sms_left: credit.sms_left, created_time: now };
  await db
    .insertInto("ledger")
    .values({ ...entry, order_id: orderId ?? null, message_id: messageId ?? null })
    .execute();
  await announceChange(db, { plantId, record: "smsCredit" });
  return credit.sms_left;
};

/** Credits the SMS of a paid order. */
export const creditOrder = async (
  db: Database,
  { plantId, orderId, sms, now }: { plantId: number; orderId: number; sms: number; now: Date },
): Promise<void> => {
  const left = await moveCredit(db, { plantId, kind: Movement.smsBought, sms, orderId, now });
  if (left === undefined) throw new Error(`Plant ${plantId} has no SMS credit to add to`);
};

/** Initial SMS credit of a plant. */
const firstSms = 25;

/** Gives a plant its initial SMS credit, once. */
export const giveFirstSms = async (db: Database, { plantId, now }: { plantId: number; now: Date }): Promise<void> => {
  const given = db
    .selectFrom("ledger")
    .select("entry_id")
    .where("plant_id", "=", plantId)
    .where("kind", "=", Movement.smsGiven);
  // Looked at before the credit is locked: claims of a thousand devices would wait for each other.
  if (await given.executeTakeFirst()) return;
  // Locked before the ledger is read again, to serialise concurrent changes.
  await db.selectFrom("sms_credit").select("plant_id").where("plant_id", "=", plantId).forUpdate().execute();
  if (!(await given.executeTakeFirst())) await moveCredit(db, { plantId, kind: Movement.smsGiven, sms: firstSms, now });
};

interface Sms {
  plantId: number;
  messageId: number;
  now: Date;
}

const isBooked = async (db: Database, messageId: number, kind: number): Promise<boolean> =>
  (await db
    .selectFrom("ledger")
    .select("entry_id")
    .where("message_id", "=", messageId)
    .where("kind", "=", kind)
    .executeTakeFirst()) !== undefined;

/** Result of a charge: paid, with the remaining credit, or no credit. */
export type Charge = { isPaid: true; left: number | undefined } | { isPaid: false };

/** Charges one SMS for a message of the outbox. A retried message is not charged again: `left` is then undefined. */
export const chargeSms = async (db: Database, { plantId, messageId, now }: Sms): Promise<Charge> => {
  if (await isBooked(db, messageId, Movement.smsUsed)) return { isPaid: true, left: undefined };
  const left = await moveCredit(db, { plantId, kind: Movement.smsUsed, sms: -1, messageId, now });
  return left === undefined ? { isPaid: false } : { isPaid: true, left };
};

/** Refunds a message that certainly was not sent. */
export const returnSms = async (db: Database, { plantId, messageId, now }: Sms): Promise<void> => {
  if (!(await isBooked(db, messageId, Movement.smsUsed))) return;
  if (await isBooked(db, messageId, Movement.smsReturned)) return;
  await moveCredit(db, { plantId, kind: Movement.smsReturned, sms: 1, messageId, now });
};
