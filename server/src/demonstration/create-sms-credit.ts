import { currency } from "@telltale/contract/orders";
import { newOrderNumber, saveSmsOrder } from "../orders/new-order-queries.ts";
import { orderByNumber } from "../orders/queries.ts";
import { bookPayment, chargeSms, creditOrder } from "../sms/movement-queries.ts";
import { smsPackages } from "../sms/queries.ts";
import type { Database } from "../world.ts";

const day = 86_400_000;

/** Days ago on which the plant sent SMS, and how many. */
const used: readonly (readonly [daysAgo: number, count: number])[] = [
  [140, 6],
  [121, 4],
  [96, 11],
  [90, 2],
  [64, 7],
  [31, 12],
  [12, 3],
  [3, 2],
];
const boughtDaysAgo = 150;

/** Gives a plant what it would have: SMS that its owner has bought, and some that went out since. Messages so old the outbox has forgotten. */
export const makeSmsCredit = async (db: Database, plantId: number, now: Date): Promise<void> => {
  const ago = (days: number) => new Date(now.getTime() - days * day);
  const bought = ago(boughtDaysAgo);
  const [chosen] = await smsPackages(db);
  if (!chosen) return;
  const orderSn = newOrderNumber(bought);
  const order = { orderSn, plantId, accountId: plantId, total: chosen.money, currency, now: bought };
  await saveSmsOrder(db, { ...order, package: chosen });
  const saved = await orderByNumber(db, plantId, orderSn);
  if (!saved) throw new Error("The demonstration's order was not saved");
  const orderId = saved.order_id;
  const payment = { payment_id: `SANDBOX-${orderSn}`, payer_id: "PAYER", capture_id: `CAPTURE-${orderSn}` };
  await db
    .updateTable("orders")
    .set({ ...payment, status: "captured", approved_time: bought, captured_time: bought })
    .where("order_id", "=", orderId)
    .execute();
  await bookPayment(db, { plantId, orderId, cents: chosen.money, now: bought });
  await creditOrder(db, { plantId, orderId, sms: chosen.smsNum, now: bought });
  let message = 0;
  for (const [daysAgo, count] of used)
    for (let i = 0; i < count; i += 1) {
      message -= 1;
      await chargeSms(db, { plantId, messageId: message, now: ago(daysAgo) });
    }
};
