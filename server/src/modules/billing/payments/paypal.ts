import {
  ApiError,
  CheckoutPaymentIntent,
  type Order,
  OrdersController,
  PaypalExperienceUserAction,
  PaypalWalletContextShippingPreference,
} from "@paypal/paypal-server-sdk";
import { amountText, captureRefused } from "@telltale/contract/domains/billing";
import { fieldOf } from "../../../platform/fault.ts";
import { conflict, invalid } from "../../../platform/http/api-error.ts";
import type { World } from "../../../world.ts";
import type { Amount, Payment, Payments, Sale } from "./payments.ts";
import { approvalUrl, isOfAmount, isOfPayer, namesCaptures, paymentOf } from "./paypal.rules.ts";
import { type PaypalAccount, paypalClient } from "./paypal-client.ts";
import { readWebhook } from "./paypal-webhook.ts";

const unavailable = "The payment provider does not answer. Nothing was lost: please try again in a moment";
const refused = "The payment provider refuses this payment. Nothing was paid: contact the operator of this server";
const pending = "The provider is still working on this payment. It counts as soon as the money is there";
const notApproved = `${captureRefused}. The payment was not approved, and nothing was paid`;

type Needs = Pick<World, "log" | "publicUrl">;

const statusOf = (fault: unknown): number | undefined => (fault instanceof ApiError ? fault.statusCode : undefined);

/** Calls PayPal. Its refusals are rethrown; when it is unavailable the buyer gets a message and the cause is logged. */
const callPaypal = async <T>({ log }: Needs, what: string, call: () => Promise<{ result: T }>): Promise<T> => {
  try {
    return (await call()).result;
  } catch (fault) {
    const status = statusOf(fault);
    if (status === 404 || status === 422) throw fault;
    log.error({ err: fault instanceof Error ? fault.message : String(fault), status }, `PayPal: ${what} failed`);
    throw conflict(unavailable);
  }
};

const orderRequest = ({ orderSn, amount, description }: Sale, publicUrl: string) => {
  const money = { currencyCode: amount.currency, value: amountText(amount.cents) };
  return {
    intent: CheckoutPaymentIntent.Capture,
    purchaseUnits: [
      {
        customId: orderSn,
        invoiceId: orderSn,
        description,
        amount: { ...money, breakdown: { itemTotal: money } },
        items: [{ name: description, quantity: "1", unitAmount: money }],
      },
    ],
    paymentSource: {
      paypal: {
        experienceContext: {
          brandName: "Telltale",
          shippingPreference: PaypalWalletContextShippingPreference.NoShipping,
          userAction: PaypalExperienceUserAction.PayNow,
          returnUrl: `${publicUrl}/payResult`,
          cancelUrl: `${publicUrl}/payResult?cancelled=1`,
        },
      },
    },
  };
};

/** PayPal's order with this id; undefined when it does not exist (any more). */
const orderOf = async (needs: Needs, orders: OrdersController, id: string): Promise<Order | undefined> => {
  try {
    return await callPaypal(needs, "looking at an order", () => orders.getOrder({ id }));
  } catch (fault) {
    if (statusOf(fault) === 404) return undefined;
    throw fault;
  }
};

const begin = async (needs: Needs, orders: OrdersController, sale: Sale): Promise<{ id: string; url: string }> => {
  const begun = sale.begun === null ? undefined : await orderOf(needs, orders, sale.begun);
  const state = begun && paymentOf(begun);
  if (begun?.id && state && state.status !== "gone")
    return { id: begun.id, url: approvalUrl(begun) ?? returnTo(begun.id, state) };
  // Idempotency key: two clicks get the same payment; after a payment that can no longer be completed, a new one is created.
  const paypalRequestId = `order-${sale.orderSn}${sale.begun === null ? "" : `-after-${sale.begun}`}`;
  const body = orderRequest(sale, needs.publicUrl);
  const made = await callPaypal(needs, "beginning a payment", () =>
    orders.createOrder({ body, paypalRequestId, prefer: "return=representation" }),
  ).catch((fault) => {
    if (statusOf(fault) === undefined) throw fault;
    needs.log.error(
      { body: fieldOf(fault, "body") },
      "PayPal refused to create a payment; the buyer's page says that nothing was paid",
    );
    throw conflict(refused);
  });
  const url = approvalUrl(made);
  if (!made.id || !url) throw new Error("PayPal created a payment without an approval link");
  return { id: made.id, url };
};

/** Return URL for a payment that is already approved, as the provider would redirect. */
const returnTo = (paymentId: string, state: Payment): string =>
  `/payResult?${new URLSearchParams({ paymentId, PayerID: "payerId" in state ? state.payerId : "" })}`;

const takeApproved = async (needs: Needs, orders: OrdersController, id: string): Promise<Payment> => {
  try {
    const taken = await callPaypal(needs, "taking a payment", () =>
      orders.captureOrder({ id, paypalRequestId: `capture-${id}`, prefer: "return=representation" }),
    );
    return paymentOf(namesCaptures(taken) ? taken : ((await orderOf(needs, orders, id)) ?? taken));
  } catch (fault) {
    if (statusOf(fault) !== 422) throw fault;
    // Also the answer when a concurrent call has captured it.
    const now = await orderOf(needs, orders, id);
    needs.log.warn(
      { id, body: fault instanceof ApiError ? fault.body : undefined },
      "PayPal refused to capture a payment",
    );
    return now && paymentOf(now).status === "captured" ? paymentOf(now) : { status: "gone" };
  }
};

const capture = async (
  needs: Needs,
  orders: OrdersController,
  { id, payerId, amount }: { id: string; payerId: string; amount: Amount },
): Promise<{ captureId: string }> => {
  const order = await orderOf(needs, orders, id);
  const before: Payment = order ? paymentOf(order) : { status: "gone" };
  if (!order || !("payerId" in before) || !isOfPayer(order, payerId)) throw invalid(notApproved);
  if (!isOfAmount(order, amount)) throw invalid("The approved amount is not that of the order. Nothing was paid");
  const after = before.status === "approved" ? await takeApproved(needs, orders, id) : before;
  if (after.status === "pending") throw conflict(pending);
  if (after.status !== "captured") throw invalid(notApproved);
  return { captureId: after.captureId };
};

/** Creates the PayPal provider by its REST API for orders; `timeout` in milliseconds. */
export const createPaypalPayments = (needs: Needs, account: PaypalAccount, timeout?: number): Payments => {
  const client = paypalClient(account, timeout);
  const orders = new OrdersController(client);
  return {
    kind: "paypal",
    begin: (sale) => begin(needs, orders, sale),
    find: async (id) => {
      const order = await orderOf(needs, orders, id);
      return order ? paymentOf(order) : { status: "gone" };
    },
    capture: (payment) => capture(needs, orders, payment),
    readWebhook: (call) => readWebhook(client, call, account.webhookId),
  };
};
