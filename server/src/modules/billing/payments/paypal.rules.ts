import type { Order } from "@paypal/paypal-server-sdk";
import type { Amount, Payment } from "./payments.ts";

/** The approval URL, under any of PayPal's link names. */
export const approvalUrl = ({ links = [] }: Order): string | undefined =>
  links.find(({ rel }) => rel === "approve" || rel === "payer-action")?.href;

const payerOf = (order: Order): string => order.payer?.payerId ?? order.paymentSource?.paypal?.accountId ?? "";

/** Maps PayPal's order to a payment state. */
export const paymentOf = (order: Order): Payment => {
  const payerId = payerOf(order);
  const capture = order.purchaseUnits?.[0]?.payments?.captures?.at(-1);
  if (capture?.id && capture.status === "COMPLETED") return { status: "captured", payerId, captureId: capture.id };
  if (capture?.status === "PENDING") return { status: "pending", payerId };
  if (capture) return { status: "gone" };
  // PayPal may omit the captures of an order.
  if (order.status === "COMPLETED" && order.id) return { status: "captured", payerId, captureId: order.id };
  if (order.status === "APPROVED") return { status: "approved", payerId };
  const url = approvalUrl(order);
  return order.status !== "VOIDED" && url ? { status: "created", url } : { status: "gone" };
};

/** Whether PayPal names the captures, and thereby whether the money has arrived. */
export const namesCaptures = ({ purchaseUnits }: Order): boolean =>
  (purchaseUnits?.[0]?.payments?.captures ?? []).length > 0;

/** Whether the order belongs to this payer, if PayPal names one. */
export const isOfPayer = (order: Order, payerId: string): boolean => ["", payerId].includes(payerOf(order));

/** Whether PayPal's order has exactly this amount. */
export const isOfAmount = (order: Order, { cents, currency }: Amount): boolean => {
  const { value, currencyCode } = order.purchaseUnits?.[0]?.amount ?? {};
  return order.purchaseUnits?.length === 1 && currencyCode === currency && Math.round(Number(value) * 100) === cents;
};
