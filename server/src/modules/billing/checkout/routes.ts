import {
  captureRefused,
  PaymentStatus,
  type Purchase,
  type paypal,
  type sandbox,
} from "@telltale/contract/domains/billing";
import type { Database } from "../../../platform/database/schema/schema.ts";
import { conflict, invalid, notFound } from "../../../platform/http/api-error.ts";
import type { Handlers } from "../../../platform/http/mount.ts";
import {
  checkoutOf,
  isServiceOrder,
  type Order,
  orderByNumber,
  orderByPayment,
  saveApproval,
} from "../orders/queries.ts";
import { saleText } from "../orders/rules.ts";
import { beginPayment, takePayment } from "../orders/settle.ts";
import type { BillingWorld, Payment } from "../payments/payments.ts";
import { expiredCheckout } from "../payments/sandbox.rules.ts";
import { approveSandboxPayment, isSandboxPayment, returnUrl } from "../payments/sandbox.ts";

type Needs = Pick<BillingWorld, "db" | "clock" | "payments">;

/** The order waiting in the sandbox checkout. */
const waitingOrder = async ({ db, payments }: Needs, plantId: number, paymentId: string) => {
  // An order started in the sandbox cannot be paid after the operator has set up real payments.
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

const statuses = {
  created: PaymentStatus.created,
  approved: PaymentStatus.approved,
  pending: PaymentStatus.pending,
  captured: PaymentStatus.completed,
  gone: PaymentStatus.voided,
} as const;

const itemOf = (order: Order) =>
  isServiceOrder(order)
    ? { name: `${order.report_interval_limit} ${order.years}`, description: order.device_sn_id }
    : { name: `${order.sms_num} SMS`, description: "" };

const purchaseOf = (order: Order, id: string, payment: Payment): Purchase => {
  const total = { value: order.amount_cents, currency_code: order.currency };
  const item = { ...itemOf(order), quantity: "1", unit_amount: total };
  const amount = { ...total, breakdown: { item_total: total } };
  return {
    id,
    orderSn: order.order_sn,
    // The order's record takes precedence: the provider may have forgotten an old payment.
    status: order.status === "captured" ? PaymentStatus.completed : statuses[payment.status],
    purchase_units: [{ description: saleText(order), items: [item], amount }],
    payer: "payerId" in payment ? { payer_id: payment.payerId } : null,
    url: payment.status === "created" ? payment.url : null,
  };
};

const orderOf = async (db: Database, plantId: number, id: string): Promise<Order> => {
  const order = await orderByPayment(db, plantId, id);
  if (!order) throw notFound();
  return order;
};

export const paypalRoutes = (needs: Needs): Handlers<typeof paypal> => ({
  createOrder: async ({ orderSn }, { plantId }) => {
    const order = await orderByNumber(needs.db, plantId, orderSn);
    if (!order) throw notFound();
    const { id } = await beginPayment(needs, order);
    return { id };
  },
  queryOrder: async ({ id }, { plantId, userId }) => {
    const order = await orderOf(needs.db, plantId, id);
    const payment = await needs.payments.find(id);
    // The buyer's page stops asking at COMPLETED: by then the order has to be delivered.
    if (payment.status === "captured") await takePayment(needs, order, { payerId: payment.payerId, userId });
    return purchaseOf(order, id, payment);
  },
  captureOrder: async ({ id }, { plantId, userId }) => {
    const order = await orderOf(needs.db, plantId, id);
    if (order.status !== "captured") {
      const payment = await needs.payments.find(id);
      if (!("payerId" in payment))
        throw invalid(`${captureRefused}. The payment was not approved, and nothing was paid`);
      await takePayment(needs, order, { payerId: payment.payerId, userId });
    }
    return { id, orderSn: order.order_sn, status: PaymentStatus.completed };
  },
});
