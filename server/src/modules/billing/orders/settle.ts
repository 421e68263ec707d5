import { conflict } from "../../../platform/http/api-error.ts";
import type { BillingWorld } from "../payments/payments.ts";
import { saveCapture } from "./capture.ts";
import { isServiceOrder, type Order, payableDevice, savePayment } from "./queries.ts";
import { saleText } from "./rules.ts";

type Needs = Pick<BillingWorld, "db" | "clock" | "payments">;

const amountOf = (order: Order) => ({ cents: order.amount_cents, currency: order.currency });

/** Starts an order's payment at the provider, or returns the one in progress; throws when the order is paid. */
export const beginPayment = async (
  { db, clock, payments }: Needs,
  order: Order,
): Promise<{ id: string; url: string }> => {
  if (order.status === "captured") throw conflict("This order has been paid already");
  const sale = { orderSn: order.order_sn, amount: amountOf(order), description: saleText(order) };
  const payment = await payments.begin({ ...sale, begun: order.payment_id });
  await savePayment(db, order.order_id, payment.id, clock.date());
  return payment;
};

/**
 * Captures an order's approved payment, then records it. If the server stops in between, repeating the call captures nothing more and records it.
 * `userId`: the user who returned from the checkout; null when the server settles by itself.
 */
export const takePayment = async (
  { db, clock, payments }: Needs,
  order: Order,
  { payerId, userId }: { payerId: string; userId: number | null },
): Promise<void> => {
  if (order.status === "captured") return;
  if (isServiceOrder(order) && !(await payableDevice(db, order.plant_id, order.device_id)))
    throw conflict("The device of this order is no longer in this plant. Nothing was paid");
  const { captureId } = await payments.capture({ id: order.payment_id ?? "", payerId, amount: amountOf(order) });
  await saveCapture(db, order.order_id, { captureId, payerId, userId, now: clock.date() });
};
