import { z } from "zod";
import { get, getFile, post } from "../call/call.ts";
import { page, pageQuery } from "../call/paging.ts";
import * as wire from "../call/wire.ts";

/** Numbers of years for which network services can be bought at once. (spec 1 §9) */
export const serviceYears = [1, 2, 3] as const;
export type ServiceYears = (typeof serviceYears)[number];

/** Currency of every amount. (spec 1 §9) */
export const currency = "USD";

/** Shown instead of a purchase on a server without a payment provider. */
export const paymentsNotSetUp =
  "Payments are not set up on this server, so nothing can be bought here. Please ask its operator";

/** Formats cents as `1234.50`. */
export const amountText = (cents: number): string => z.encode(wire.money(), cents);

/** Price of a package for this many years, in cents; `money` is the price of one year. (spec 1 §9) */
export const orderTotal = (money: number, years: number): number => money * years;

/** A package of network services for a device. */
export const PayOption = z.object({
  packageId: z.int(),
  /** Price of one year. */
  money: wire.money(),
  /** Storage for the device's readings, in gigabytes. */
  storageSpace: z.int(),
  /** The shortest report interval that the package allows, in seconds. */
  reportIntervalLimit: z.int(),
});
export type PayOption = z.output<typeof PayOption>;

/** A paid order. */
export const PaidOrder = z.object({
  orderSn: z.string(),
  /** The amount paid. */
  total: wire.money(),
  /** The device whose service was bought; null for an SMS purchase. */
  deviceName: z.string().nullable(),
  /** The end of the device's service after the purchase; null when it never ends, or for an SMS purchase. */
  expireTime: wire.time().nullable(),
  /** Number of SMS bought; null for network services. */
  smsNum: z.int().nullable(),
});
export type PaidOrder = z.output<typeof PaidOrder>;

const choosePackage = "Choose a package";

/** Ids assigned by the provider: of a payment, and of its payer. */
export const paymentId = z
  .string({ error: "This address does not identify a payment" })
  .trim()
  .min(1, { error: "This address does not identify a payment" })
  .max(128, { error: "This address does not identify a payment" });
const payerId = z
  .string({ error: "This payment has not been approved" })
  .trim()
  .min(1, { error: "This payment has not been approved" })
  .max(128, { error: "This payment has not been approved" });

export const orders = {
  prices: get("/api/order/getPrice", {
    access: "devices.pay",
    summary: "The network service packages for a main device, longest report interval first",
    query: z.object({ deviceId: wire.int() }),
    result: z.array(PayOption),
  }),
  create: post("/api/order/create", {
    access: "devices.pay",
    summary: "Orders network services for a main device; the server sets the price and returns the order number",
    body: z.object({
      deviceId: wire.int(),
      packageId: wire.int(choosePackage),
      storageSpace: wire.int(choosePackage),
      year: wire.intBetween(1, serviceYears.length, "Choose 1, 2 or 3 years"),
    }),
    result: z.object({ orderSn: z.string() }),
  }),
  pay: post("/api/paypal/pay", {
    access: "devices.pay",
    summary: "Starts the payment of an order: `url` is where the buyer approves it, `id` is the provider's payment id",
    body: z.object({
      orderSn: z.string({ error: "Choose an order" }).trim().min(1, { error: "Choose an order" }).max(64),
    }),
    result: z.object({ url: z.string(), id: z.string() }),
  }),
  settle: post("/api/paypal/success", {
    access: "devices.pay",
    summary: "Captures the approved payment and extends the service. Idempotent",
    body: z.object({ paymentId, payerId }),
    result: PaidOrder,
  }),
  receipt: getFile("/api/order/receipt", {
    access: "sms.read",
    summary: "The receipt of a paid order as PDF",
    file: "application/pdf",
    query: z.object({
      orderSn: z.string({ error: "Choose an order" }).trim().min(1, { error: "Choose an order" }).max(64),
    }),
  }),
};

/** State of a payment: created, approved by the buyer, pending at the provider, captured, or no longer possible. */
export const PaymentStatus = {
  created: "CREATED",
  approved: "APPROVED",
  pending: "PENDING",
  completed: "COMPLETED",
  voided: "VOIDED",
} as const;
export type PaymentStatus = (typeof PaymentStatus)[keyof typeof PaymentStatus];

const Amount = z.object({ value: wire.money(), currency_code: z.string() });

/** A line item of a purchase. `name` is '<seconds> <years>' for network services, or the name of the product; `description` is the device ID. */
const PurchaseItem = z.object({ name: z.string(), description: z.string(), quantity: z.string(), unit_amount: Amount });

/** A purchase as shown to the buyer, with the provider's field names. (spec 2 §3) */
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
  /** Who approved; null before the approval. */
  payer: z.object({ payer_id: z.string() }).nullable(),
  /** Where the buyer approves; null when there is nothing left to approve. */
  url: z.string().nullable(),
});
export type Purchase = z.output<typeof Purchase>;

/** Part of the answer when the provider refuses to capture a payment. (spec 2 §8) */
export const captureRefused = "Interface request error code is：422";

/** Two-step payment on the merchant's page: review the purchase, then pay. (spec 2 §7) */
export const paypal = {
  createOrder: post("/api/paypal/v2/createOrder", {
    access: "devices.pay",
    summary:
      "Starts the payment of an order and returns the provider's payment id; repeated calls return the same id while it can be paid",
    body: z.object({
      orderSn: z.string({ error: "Choose an order" }).trim().min(1, { error: "Choose an order" }).max(64),
    }),
    result: z.object({ id: z.string() }),
  }),
  queryOrder: post("/api/paypal/v2/queryOrder", {
    access: "devices.pay",
    summary: "A purchase and the state of its payment",
    body: z.object({ id: paymentId }),
    result: Purchase,
  }),
  captureOrder: post("/api/paypal/v2/captureOrder", {
    access: "devices.pay",
    summary: "Captures an approved payment and fulfils the order; 422 when it was not approved. Idempotent",
    body: z.object({ id: paymentId }),
    result: z.object({ id: z.string(), orderSn: z.string(), status: z.enum(PaymentStatus) }),
  }),
};

/** Shown on the sandbox checkout page for every purchase. */
export const noMoneyMoves = "This is the built-in sandbox checkout: no money moves.";

/** A purchase that awaits the buyer's approval. */
export const Checkout = z.object({
  orderSn: z.string(),
  total: wire.money(),
  /** Network services of a device; null for an SMS purchase. */
  service: PayOption.omit({ packageId: true, money: true })
    .extend({ deviceName: z.string(), deviceSnId: z.string(), years: z.int() })
    .nullable(),
  /** Number of SMS; null for network services. */
  smsNum: z.int().nullable(),
});
export type Checkout = z.output<typeof Checkout>;

/** The built-in sandbox checkout that replaces a payment provider's pages. It moves no money. (decisions §6) */
export const sandbox = {
  checkout: get("/api/sandbox/checkout", {
    access: "devices.pay",
    summary: "The purchase to approve in the sandbox checkout; 404 when a real provider is in use",
    query: z.object({ paymentId }),
    result: Checkout,
  }),
  approve: post("/api/sandbox/approve", {
    access: "devices.pay",
    summary: "Approves a purchase in the sandbox checkout; `url` is where the buyer is redirected, as by a provider",
    body: z.object({ paymentId }),
    result: z.object({ url: z.string() }),
  }),
};

/** A package of SMS credit. */
export const SmsPackage = z.object({
  packageId: z.int(),
  /** Number of SMS in the package. */
  smsNum: z.int(),
  money: wire.money(),
});
export type SmsPackage = z.output<typeof SmsPackage>;

/** SMS used per month in the plant's time zone. `time` is the month, for example 2026-11. */
export const SmsUsage = z.object({ time: z.string(), num: z.int() });
export type SmsUsage = z.output<typeof SmsUsage>;

/** A paid purchase of SMS credit; email and nickname are the buyer's. `payAmount` is the amount paid. */
export const SmsPurchase = z.object({
  orderSn: z.string(),
  email: z.string(),
  nickname: z.string(),
  payAmount: wire.money(),
  smsNum: z.int(),
  createdTime: wire.time(),
});
export type SmsPurchase = z.output<typeof SmsPurchase>;

/** Owners and admins are warned when this many SMS or fewer are left. */
export const lowCredit = 20;

/** SMS credit of the plant. (spec 2 §2) */
export const sms = {
  left: get("/api/order/findLeftSms", {
    access: "sms.read",
    summary: "The plant's remaining SMS credit",
    result: z.object({ leftSms: z.int() }),
  }),
  packages: get("/api/order/findSmsConfig", {
    access: "sms.read",
    summary: "The SMS packages on offer, smallest first",
    result: z.array(SmsPackage),
  }),
  usage: get("/api/order/smsUsedList", {
    access: "sms.read",
    summary: "SMS used per month of a year in the plant's time zone, newest first; months without any are omitted",
    query: z.object({ ...pageQuery, year: wire.intBetween(2000, 9999, "Choose a year") }),
    result: page(SmsUsage),
  }),
  purchases: get("/api/order/list", {
    access: "sms.read",
    summary: "The plant's paid purchases of SMS credit, newest first",
    query: z.object(pageQuery),
    result: page(SmsPurchase),
  }),
  create: post("/api/order/createSms", {
    access: "devices.pay",
    summary: "Orders an SMS package; the server sets the price and returns the order number",
    body: z.object({ packageId: wire.int("Choose a package") }),
    result: z.object({ orderSn: z.string() }),
  }),
};
