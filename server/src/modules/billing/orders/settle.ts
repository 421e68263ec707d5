import { Code } from "@telltale/contract/call/codes";
import { ApiError, conflict } from "../../../platform/http/api-error.ts";
import type { BillingWorld } from "../payments/payments.ts";
import { saveCapture } from "./capture.ts";
import { begunPayments, isServiceOrder, type Order, payableDevice, savePayment } from "./queries.ts";
import { saleText } from "./rules.ts";

type Needs = Pick<BillingWorld, "db" | "clock" | "payments">;

const amountOf = (order: Order) => ({ cents: order.amount_cents, currency: order.currency });

/** Most payments that a plant begins within a day without completing them. The server asks about each one every few minutes. */
const mostBegun = 50;

/** Throws when too many payments of the order's plant wait to be completed: the server would come round to other plants' too rarely. */
const checkBegun = async ({ db, clock }: Needs, order: Order): Promise<void> => {
  // It counts already, and may be gone on with.
  if (order.begun_time !== null) return;
  if ((await begunPayments(db, order.plant_id, new Date(clock.now() - 86_400_000))) < mostBegun) return;
  throw new ApiError(
    Code.tooManyTries,
    `${mostBegun} payments of this plant were begun within a day and not completed. Please complete one of them, or try again in a few hours, when they have expired`,
  );
};

/** Starts an order's payment at the provider, or returns the one in progress; throws when the order is paid. */
export const beginPayment = async (needs: Needs, order: Order): Promise<{ id: string; url: string }> => {
  if (order.status === "captured") throw conflict("This order has been paid already");
  await checkBegun(needs, order);
  const { db, clock, payments } = needs;
  const sale = { orderSn: order.order_sn, amount: amountOf(order), description: saleText(order) };
  const payment = await payments.begin({ ...sale, begun: order.payment_id });
  await savePayment(db, order.order_id, payment.id, clock.date());
  return payment;
};

/** Throws when the order's device has left its plant, unless the buyer has paid before that: the money counts for the unit, wherever it is now. */
const checkDevice = async ({ db, payments }: Needs, order: Order): Promise<void> => {
  if (!isServiceOrder(order) || (await payableDevice(db, order.plant_id, order.device_id))) return;
  const { status } = await payments.find(order.payment_id ?? "");
  if (status !== "captured" && status !== "pending")
    throw conflict("The device of this order is no longer in this plant. Nothing was paid");
};

/**
 * Captures an order's approved payment, then records it. If the server stops in between, repeating the call captures nothing more and records it.
 * `userId`: the user who returned from the checkout; null when the server settles by itself.
 */
export const takePayment = async (
  needs: Needs,
  order: Order,
  { payerId, userId }: { payerId: string; userId: number | null },
): Promise<void> => {
  if (order.status === "captured") return;
  await checkDevice(needs, order);
  const { db, clock, payments } = needs;
  const { captureId } = await payments.capture({ id: order.payment_id ?? "", payerId, amount: amountOf(order) });
  await saveCapture(db, order.order_id, { captureId, payerId, userId, now: clock.date() });
};
