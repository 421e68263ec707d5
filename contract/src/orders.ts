import { z } from "zod";
import { get, getFile, post } from "./call.ts";
import * as wire from "./wire.ts";

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
