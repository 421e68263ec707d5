import { ApiError } from "../../../platform/http/api-error.ts";
import { createPeriodicJob, type PeriodicJob } from "../../../platform/jobs/periodic.ts";
import type { BillingWorld } from "../payments/payments.ts";
import { noteAsked, type Order, openOrders } from "./queries.ts";
import { takePayment } from "./settle.ts";

type Needs = Pick<BillingWorld, "db" | "clock" | "log" | "payments">;

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
    if (!(fault instanceof ApiError)) throw fault;
    log.warn({ orderSn: order.order_sn, why: fault.message }, "An approved order could not be settled");
    return false;
  }
};

/** How often open orders are looked for, milliseconds. */
const every = 60_000;
/** An order is left to its buyer's browser for so long, and asked about again after as long, milliseconds. */
const pause = 3 * 60_000;
/** For so long a begun payment can still come to something at a provider, milliseconds. */
const memory = 4 * 86_400_000;

/** Finishes orders that were approved and whose buyer never came back. */
export const createOpenOrdersJob = (
  needs: Pick<BillingWorld, "db" | "clock" | "log" | "metrics" | "payments">,
): PeriodicJob => {
  const { db, clock } = needs;
  const work = async (isStopping: () => boolean): Promise<void> => {
    const now = clock.now();
    const due = { since: new Date(now - memory), askedBefore: new Date(now - pause) };
    for (const order of await openOrders(db, due)) {
      if (isStopping()) return;
      await reconcile(needs, order);
    }
  };
  const failureMessage = "Open orders were not looked after; tried again soon";
  return createPeriodicJob({ name: "open orders", every, work, failureMessage, world: needs });
};
