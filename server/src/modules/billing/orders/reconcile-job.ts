import { ApiError } from "../../../platform/http/api-error.ts";
import { createPeriodicJob, type PeriodicJob } from "../../../platform/jobs/periodic.ts";
import type { BillingWorld } from "../payments/payments.ts";
import { type Order, openOrders, recordCheck, recordGone, recordPending } from "./queries.ts";
import { takePayment } from "./settle.ts";

type Needs = Pick<BillingWorld, "db" | "clock" | "log" | "payments">;

/**
 * Asks the provider for the state of an order's payment and captures it if approved: the buyer's browser may never have returned. Returns whether the
 * order is paid now. Safe against concurrent settlement.
 */
export const reconcile = async (needs: Needs, order: Order): Promise<boolean> => {
  const { db, clock, log, payments } = needs;
  if (order.status === "captured" || order.payment_id === null) return order.status === "captured";
  await recordCheck(db, order.order_id, clock.date());
  try {
    const payment = await payments.find(order.payment_id);
    if (payment.status === "pending") await recordPending(db, order, clock.date());
    if (payment.status === "gone") await recordGone(db, order);
    if (payment.status !== "approved" && payment.status !== "captured") return false;
    await takePayment(needs, order, { payerId: payment.payerId, userId: null });
    log.info({ orderSn: order.order_sn }, "Captured an approved payment whose buyer did not return");
    return true;
  } catch (fault) {
    // An `ApiError` says why it cannot be captured: the device is gone, or the provider did not answer. Retried later.
    if (!(fault instanceof ApiError)) throw fault;
    log.warn({ orderSn: order.order_sn, why: fault.message }, "Could not capture an approved payment; retrying later");
    return false;
  }
};

/** Interval of the job, milliseconds. */
const every = 60_000;
/** Least age of an order, and least time between two checks of it, milliseconds: at first it is left to its buyer's browser. */
const pause = 3 * 60_000;
const day = 86_400_000;
/** How long after its start a payment can still be completed at a provider, milliseconds. */
const memory = 4 * day;
/** How long an order is checked after the provider has last said that its money is under way, milliseconds: a review, or a bank, may take weeks. */
const pendingMemory = 30 * day;

/** Creates the job that finishes orders that were approved but whose buyer did not return. */
export const createOpenOrdersJob = (
  needs: Pick<BillingWorld, "db" | "clock" | "log" | "metrics" | "node" | "payments">,
): PeriodicJob => {
  const { db, clock } = needs;
  const work = async (isStopping: () => boolean): Promise<void> => {
    const now = clock.now();
    const due = {
      begunSince: new Date(now - memory),
      pendingSince: new Date(now - pendingMemory),
      requestedBefore: new Date(now - pause),
    };
    for (const order of await openOrders(db, due)) {
      if (isStopping()) return;
      await reconcile(needs, order);
    }
  };
  const failureMessage = "Could not check open orders; trying again in a minute";
  return createPeriodicJob({ name: "open orders", every, work, failureMessage, world: needs });
};
