import type { Database } from "../world.ts";
import type { Order } from "./queries.ts";

/** An order of any plant by the provider's name of its payment: for what the provider itself says. */
export const anyOrderByPayment = (db: Database, paymentId: string): Promise<Order | undefined> =>
  db.selectFrom("orders").selectAll().where("payment_id", "=", paymentId).executeTakeFirst();

/** Orders whose payment was begun since `since` and not asked about since `askedBefore`, those not asked about for longest first. */
export const openOrders = (
  db: Database,
  { since, askedBefore }: { since: Date; askedBefore: Date },
): Promise<Order[]> =>
  db
    .selectFrom("orders")
    .selectAll()
    .where("status", "<>", "captured")
    .where("payment_id", "is not", null)
    .where("begun_time", ">=", since)
    .where("asked_time", "<", askedBefore)
    .orderBy("asked_time")
    .limit(50)
    .execute();

/** Notes that the provider was just asked about an order, whatever it said. */
export const noteAsked = async (db: Database, orderId: number, now: Date): Promise<void> => {
  await db.updateTable("orders").set({ asked_time: now }).where("order_id", "=", orderId).execute();
};
