import type { sandbox } from "@telltale/contract/sandbox";
import type { Handlers } from "../http/mount.ts";
import { conflict, invalid, notFound } from "../http/refusal.ts";
import { expiredCheckout } from "../payments/sandbox.rules.ts";
import { approveSandboxPayment, isSandboxPayment, returnUrl } from "../payments/sandbox.ts";
import type { World } from "../world.ts";
import { checkoutOf, orderByPayment, saveApproval } from "./queries.ts";

type Needs = Pick<World, "db" | "clock" | "payments">;

/** The order that waits in the sandbox checkout. */
const waitingOrder = async ({ db, payments }: Needs, plantId: number, paymentId: string) => {
  // One that was begun before the operator has set payments up buys nothing any more.
  if (payments.kind !== "sandbox") throw notFound();
  const order = await orderByPayment(db, plantId, paymentId);
  if (!order || !(await isSandboxPayment(db, paymentId))) throw notFound();
  if (order.status === "captured") throw conflict("This order has been paid already");
  return order;
};

export const sandboxRoutes = (needs: Needs): Handlers<typeof sandbox> => ({
  checkout: async ({ paymentId }, { plantId }) => checkoutOf(await waitingOrder(needs, plantId, paymentId)),
  approve: async ({ paymentId }, { plantId }) => {
    const { db, clock } = needs;
    const order = await waitingOrder(needs, plantId, paymentId);
    const payerId = await approveSandboxPayment({ db, clock }, paymentId);
    if (payerId === undefined) throw invalid(expiredCheckout);
    await saveApproval(db, order.order_id, payerId, clock.date());
    return { url: returnUrl(paymentId, payerId) };
  },
});
