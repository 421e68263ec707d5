import type { sandbox } from "@telltale/contract/sandbox";
import type { Handlers } from "../http/mount.ts";
import { conflict, invalid, notFound } from "../http/refusal.ts";
import { expiredCheckout } from "../payments/sandbox.rules.ts";
import { approveSandboxPayment, isSandboxPayment, returnUrl } from "../payments/sandbox.ts";
import type { Database, World } from "../world.ts";
import { checkoutOf, orderByPayment, saveApproval } from "./queries.ts";

/** The order that waits in the sandbox checkout. */
const waitingOrder = async (db: Database, plantId: number, paymentId: string) => {
  const order = await orderByPayment(db, plantId, paymentId);
  if (!order || !(await isSandboxPayment(db, paymentId))) throw notFound();
  if (order.status === "captured") throw conflict("This order has been paid already");
  return order;
};

export const sandboxRoutes = ({ db, clock }: Pick<World, "db" | "clock">): Handlers<typeof sandbox> => ({
  checkout: async ({ paymentId }, { plantId }) => checkoutOf(await waitingOrder(db, plantId, paymentId)),
  approve: async ({ paymentId }, { plantId }) => {
    const order = await waitingOrder(db, plantId, paymentId);
    const payerId = await approveSandboxPayment({ db, clock }, paymentId);
    if (payerId === undefined) throw invalid(expiredCheckout);
    await saveApproval(db, order.order_id, payerId, clock.date());
    return { url: returnUrl(paymentId, payerId) };
  },
});
