import { paymentsNotSetUp } from "@telltale/contract/domains/billing";
import { conflict } from "../../../platform/http/api-error.ts";
import type { World } from "../../../world.ts";

/** An amount in cents. */
export interface Amount {
  cents: number;
  currency: string;
}

/** A purchase as shown to the buyer at the provider. */
export interface Sale {
  orderSn: string;
  amount: Amount;
  /** One-line description of the purchase. */
  description: string;
  /** Id of the payment started for this order before, if any. */
  begun: string | null;
}

/** State of a payment at the provider. */
export type Payment =
  | { status: "created"; url: string }
  | { status: "approved"; payerId: string }
  /** Captured, but the money has not arrived: the provider reports the result later. */
  | { status: "pending"; payerId: string }
  | { status: "captured"; payerId: string; captureId: string }
  /** Can no longer be completed; nothing was captured. */
  | { status: "gone" };

/** A webhook call: headers with its signature, and the raw body. */
export interface WebhookCall {
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** A payment provider. Knows orders only by number and amount. */
export interface Payments {
  /** The provider: PayPal, the sandbox (takes no money), or none. */
  kind: "paypal" | "sandbox" | "none";
  /**
   * Starts the payment of an order; its buyer approves it at `url`. Returns the existing payment while it is alive, so that an order never has two.
   */
  begin(sale: Sale): Promise<{ id: string; url: string }>;
  /** Returns the state of a payment without capturing it. */
  find(id: string): Promise<Payment>;
  /**
   * Captures an approved payment of exactly this amount; idempotent, returns the same `captureId`. Throws 422, without capturing, when it was not
   * approved by this payer, has expired, or has another amount.
   */
  capture(payment: { id: string; payerId: string; amount: Amount }): Promise<{ captureId: string }>;
  /** Verifies a webhook call and returns the payment to check, if any. Undefined when it is not from the provider. */
  readWebhook(call: WebhookCall): Promise<{ paymentId: string | undefined } | undefined>;
}

/** The world with this server's payment provider. */
export interface BillingWorld extends World {
  payments: Payments;
}

/** Throws when no payment provider is set up. */
export const checkPayments = ({ kind }: Pick<Payments, "kind">): void => {
  if (kind === "none") throw conflict(paymentsNotSetUp);
};

const refuse = async (): Promise<never> => {
  throw conflict(paymentsNotSetUp);
};

/** The provider of a server without payments: nothing can be bought, since the sandbox would give away real services. */
export const noPayments: Payments = {
  kind: "none",
  begin: refuse,
  find: refuse,
  capture: refuse,
  readWebhook: async () => undefined,
};
