import { z } from "zod";
import { get, getFile, post } from "../call/call.ts";
import { page, pageQuery } from "../call/paging.ts";
import * as wire from "../call/wire.ts";

/** For how many years network services can be bought at once. (spec 1 §9) */
export const serviceYears = [1, 2, 3] as const;
export type ServiceYears = (typeof serviceYears)[number];

/** Currency of every amount. (spec 1 §9) */
export const currency = "USD";

/** Said instead of a purchase on a server that has no payment provider. */
export const paymentsNotSetUp =
  "Payments are not set up on this server, so nothing can be bought here. Please ask its operator";

/** An amount of cents as `1234.50`. */
export const amountText = (cents: number): string => z.encode(wire.money(), cents);

/** What so many years of a package cost, in cents; `money` is the price of one. (spec 1 §9) */
export const orderTotal = (money: number, years: number): number => money * years;

/** What a device can be given: a package of network services. */
export const PayOption = z.object({
  packageId: z.int(),
  /** Of one year. */
  money: wire.money(),
  /** For the device's readings, in gigabytes. */
  storageSpace: z.int(),
  /** The shortest report interval that the device may then have, in seconds. */
  reportIntervalLimit: z.int(),
});
export type PayOption = z.output<typeof PayOption>;

/** What was paid for. */
export const PaidOrder = z.object({
  orderSn: z.string(),
  /** What was paid. */
  total: wire.money(),
  /** The device whose service was bought; null when SMS were. */
  deviceName: z.string().nullable(),
  /** When the device's service ends now; null when it never does, or SMS were bought. */
  expireTime: wire.time().nullable(),
  /** How many SMS were bought; null when service was. */
  smsNum: z.int().nullable(),
});
export type PaidOrder = z.output<typeof PaidOrder>;

const choosePackage = "Choose a package";

/** The provider's names: of a payment, and of whoever approved it. */
export const paymentId = z
  .string({ error: "This address names no payment" })
  .trim()
  .min(1, { error: "This address names no payment" })
  .max(128, { error: "This address names no payment" });
const payerId = z
  .string({ error: "This payment has not been approved" })
  .trim()
  .min(1, { error: "This payment has not been approved" })
  .max(128, { error: "This payment has not been approved" });

export const orders = {
  prices: get("/api/order/getPrice", {
    access: "devices.pay",
    summary: "The packages of network services that a main device can be given, longest report interval first",
    query: z.object({ deviceId: wire.int() }),
    result: z.array(PayOption),
  }),
  create: post("/api/order/create", {
    access: "devices.pay",
    summary: "Orders network services for a main device; the server knows the price and gives the order's number",
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
    summary: "Begins the payment of an order: `url` is where the buyer approves it, `id` is the provider's name of it",
    body: z.object({
      orderSn: z.string({ error: "Choose an order" }).trim().min(1, { error: "Choose an order" }).max(64),
    }),
    result: z.object({ url: z.string(), id: z.string() }),
  }),
  settle: post("/api/paypal/success", {
    access: "devices.pay",
    summary: "Takes the approved payment and extends the service. Told again, it answers the same and changes nothing",
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

/** What the checkout page says, whatever it sells. */
export const noMoneyMoves = "This is the built-in sandbox checkout: no money moves.";

/** A purchase that waits for the buyer's approval. */
export const Checkout = z.object({
  orderSn: z.string(),
  total: wire.money(),
  /** Network services of a device; null when SMS are bought. */
  service: PayOption.omit({ packageId: true, money: true })
    .extend({ deviceName: z.string(), deviceSnId: z.string(), years: z.int() })
    .nullable(),
  /** How many SMS; null when network services are bought. */
  smsNum: z.int().nullable(),
});
export type Checkout = z.output<typeof Checkout>;

/** The built-in sandbox checkout in the place of a payment provider's pages. It moves no money. (decisions §6) */
export const sandbox = {
  checkout: get("/api/sandbox/checkout", {
    access: "devices.pay",
    summary: "What is to be approved in the sandbox checkout; 404 where a real provider is in use",
    query: z.object({ paymentId }),
    result: Checkout,
  }),
  approve: post("/api/sandbox/approve", {
    access: "devices.pay",
    summary:
      "Approves a purchase in the sandbox checkout; `url` is where the buyer goes on, as a provider would send them",
    body: z.object({ paymentId }),
    result: z.object({ url: z.string() }),
  }),
};

/** A package of SMS credit. */
export const SmsPackage = z.object({
  packageId: z.int(),
  /** SMS that it holds. */
  smsNum: z.int(),
  money: wire.money(),
});
export type SmsPackage = z.output<typeof SmsPackage>;

/** SMS used in a month of the plant's clock. `time` is the month, as 2026-11. */
export const SmsUsage = z.object({ time: z.string(), num: z.int() });
export type SmsUsage = z.output<typeof SmsUsage>;

/** A purchase of SMS credit that was paid; email and nickname are whoever bought. `payAmount` is what was paid. */
export const SmsPurchase = z.object({
  orderSn: z.string(),
  email: z.string(),
  nickname: z.string(),
  payAmount: wire.money(),
  smsNum: z.int(),
  createdTime: wire.time(),
});
export type SmsPurchase = z.output<typeof SmsPurchase>;

/** From so few SMS on, owners and admins are warned. */
export const lowCredit = 20;

/** SMS credit of the plant. (spec 2 §2) */
export const sms = {
  left: get("/api/order/findLeftSms", {
    access: "sms.read",
    summary: "How many SMS the plant may still send",
    result: z.object({ leftSms: z.int() }),
  }),
  packages: get("/api/order/findSmsConfig", {
    access: "sms.read",
    summary: "The packages of SMS credit on offer, smallest first",
    result: z.array(SmsPackage),
  }),
  usage: get("/api/order/smsUsedList", {
    access: "sms.read",
    summary: "SMS used in each month of a year by the plant's clock, newest first; months without any are left out",
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
    summary: "Orders a package of SMS credit; the server knows the price and gives the order's number",
    body: z.object({ packageId: wire.int("Choose a package") }),
    result: z.object({ orderSn: z.string() }),
  }),
};
