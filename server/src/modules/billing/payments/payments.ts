import { paymentsNotSetUp } from "@telltale/contract/domains/billing";
import { conflict } from "../../../platform/http/api-error.ts";
import type { World } from "../../../world.ts";

/** An amount in whole cents. */
export interface Amount {
  cents: number;
  currency: string;
}

/** What the provider is told of a purchase, for the buyer to read there. */
export interface Sale {
  orderSn: string;
  amount: Amount;
  /** One line: what is bought. */
  description: string;
  /** The payment that was begun for this order before, if any. */
  begun: string | null;
}

/** Where a payment stands at the provider. */
export type Payment =
  | { status: "created"; url: string }
  | { status: "approved"; payerId: string }
  /** Taken, and the money is not there yet: the provider says later what becomes of it. */
  | { status: "pending"; payerId: string }
  | { status: "captured"; payerId: string; captureId: string }
  /** It can no longer be made, and nothing was taken. */
  | { status: "gone" };

/** A call of the provider's: headers that carry its signature, and the body letter by letter as it came. */
export interface WebhookCall {
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** Takes money for orders. It knows no order but by its number, and nothing of what is sold. */
export interface Payments {
  /** Who takes the money: PayPal, the sandbox, which takes none, or nobody. */
  kind: "paypal" | "sandbox" | "none";
  /**
   * Begins the payment of an order; at `url` its buyer approves it. While the one that was begun is alive, that is given again, so that
   * there are never two payments of one order.
   */
  begin(sale: Sale): Promise<{ id: string; url: string }>;
  /** Looks how far a payment is. Takes nothing. */
  find(id: string): Promise<Payment>;
  /**
   * Takes an approved payment of exactly this amount, once: asked again, it gives the same `captureId`. Refuses with 422
   * what was not approved by this payer, has expired, or is about another amount; then nothing is taken.
   */
  capture(payment: { id: string; payerId: string; amount: Amount }): Promise<{ captureId: string }>;
  /** What the provider's own call tells: the payment to look at, if any. Undefined when it is not the provider's. */
  readWebhook(call: WebhookCall): Promise<{ paymentId: string | undefined } | undefined>;
}

/** The world of what is sold: with the payment provider of this server. */
export interface BillingWorld extends World {
  payments: Payments;
}

/** Refuses an order that nobody could pay. */
export const checkPayments = ({ kind }: Pick<Payments, "kind">): void => {
  if (kind === "none") throw conflict(paymentsNotSetUp);
};

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
