import { z } from "zod";
import { post } from "./call.ts";
import { paymentId } from "./orders.ts";
import * as wire from "./wire.ts";

/** Where a payment stands: begun, approved by its buyer, under way at the provider, taken; or it can no longer be made. */
export const PaymentStatus = {
  created: "CREATED",
  approved: "APPROVED",
  pending: "PENDING",
  completed: "COMPLETED",
  voided: "VOIDED",
} as const;
export type PaymentStatus = (typeof PaymentStatus)[keyof typeof PaymentStatus];

const Amount = z.object({ value: wire.money(), currency_code: z.string() });

/** A line of a purchase. `name` is '<seconds> <years>' of network services, or what else is bought; `description` is the device's ID. */
const PurchaseItem = z.object({ name: z.string(), description: z.string(), quantity: z.string(), unit_amount: Amount });

/** A purchase as its buyer is asked for it, by the provider's names. (spec 2 §3) */
export const Purchase = z.object({
  id: z.string(),
  orderSn: z.string(),
  status: z.enum(PaymentStatus),
  purchase_units: z.array(
    z.object({
      description: z.string(),
      items: z.array(PurchaseItem),
      amount: Amount.extend({ breakdown: z.object({ item_total: Amount }) }),
    }),
  ),
  /** Who has approved; null before. */
  payer: z.object({ payer_id: z.string() }).nullable(),
  /** Where the buyer approves; null when there is nothing to approve any more. */
  url: z.string().nullable(),
});
export type Purchase = z.output<typeof Purchase>;

/** What is part of the answer when the provider refuses to take a payment. (spec 2 §8) */
export const captureRefused = "Interface request error code is：422";

/** Payment in two steps at one's own page: look at the purchase, then buy. (spec 2 §7) */
export const paypal = {
  createOrder: post("/api/paypal/v2/createOrder", {
    access: "devices.pay",
    summary:
      "Begins the payment of an order and gives the provider's name of it; asked again, the same while it can be paid",
    body: z.object({
      orderSn: z.string({ error: "Choose an order" }).trim().min(1, { error: "Choose an order" }).max(64),
    }),
    result: z.object({ id: z.string() }),
  }),
  queryOrder: post("/api/paypal/v2/queryOrder", {
    access: "devices.pay",
    summary: "A purchase and how far its payment is",
    body: z.object({ id: paymentId }),
    result: Purchase,
  }),
  captureOrder: post("/api/paypal/v2/captureOrder", {
    access: "devices.pay",
    summary:
      "Takes an approved payment and gives what was bought; 422 when it was not approved. Told again, it changes nothing",
    body: z.object({ id: paymentId }),
    result: z.object({ id: z.string(), orderSn: z.string(), status: z.enum(PaymentStatus) }),
  }),
};
