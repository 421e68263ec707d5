import { Refusal } from "../http/refusal.ts";
import type { World } from "../world.ts";
import { noteAsked } from "./open-queries.ts";
import type { Order } from "./queries.ts";
import { takePayment } from "./settle.ts";

type Needs = Pick<World, "db" | "clock" | "log" | "payments">;

/**
 * Asks the provider what became of an order's payment and finishes what its buyer has approved: the browser may never have come back. Gives
 * whether the order is paid now. Whatever else finishes it meanwhile, it is paid once.
 */
export const reconcile = async (needs: Needs, order: Order): Promise<boolean> => {
  const { db, clock, log, payments } = needs;
  if (order.status === "captured" || order.payment_id === null) return order.status === "captured";
  await noteAsked(db, order.order_id, clock.date());
  try {
    const payment = await payments.find(order.payment_id);
    if (payment.status !== "approved" && payment.status !== "captured") return false;
    await takePayment(needs, order, { payerId: payment.payerId, userId: null });
    log.info({ orderSn: order.order_sn }, "An approved order was settled without its buyer");
    return true;
  } catch (fault) {
    // A refusal says why it can't be taken: the device is gone, or the provider did not answer. It is asked again later.
    if (!(fault instanceof Refusal)) throw fault;
    log.warn({ orderSn: order.order_sn, why: fault.message }, "An approved order could not be settled");
    return false;
  }
};
