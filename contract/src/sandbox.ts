import { z } from "zod";
import { get, post } from "./call.ts";
import { PayOption, paymentId } from "./orders.ts";
import * as wire from "./wire.ts";

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
