import { paymentsNotSetUp } from "@telltale/contract/orders";
import { conflict } from "../http/refusal.ts";
import type { Payments } from "./payments.ts";

const refuse = async (): Promise<never> => {
  throw conflict(paymentsNotSetUp);
};

/** A server without a payment provider sells nothing: what it sells has a cost, and the sandbox would give it away. */
export const noPayments: Payments = {
  kind: "none",
  begin: refuse,
  find: refuse,
  capture: refuse,
  readWebhook: async () => undefined,
};
