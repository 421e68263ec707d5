import { conflict } from "../http/refusal.ts";

/** An amount in whole cents. */
export interface Amount {
  cents: number;
  currency: string;
}

/** Takes money for orders. It knows no order but by its number, and nothing of what is sold. */
export interface Payments {
  /**
   * Begins the payment of an order; at `url` its buyer approves it. While that can still be done, asking again gives the
   * same payment, so that two clicks do not become two payments.
   */
  begin(order: { orderSn: string; amount: Amount }): Promise<{ id: string; url: string }>;
  /**
   * Takes an approved payment of exactly this amount, once: asked again, it gives the same `captureId`. Refuses with 422
   * what was not approved by this payer, has expired, or is about another amount; then nothing is taken.
   */
  capture(payment: { id: string; payerId: string; amount: Amount }): Promise<{ captureId: string }>;
}

const refuse = () => Promise.reject(conflict("Payments cannot be made on this server yet. Please ask its operator"));

/** For a server whose provider is configured and not supported: the sandbox must not give away what is meant to be paid for. */
export const noPayments: Payments = { begin: refuse, capture: refuse };
