import type { Amount } from "./payments.ts";

/** How long a checkout can be approved and captured, milliseconds; the same as PayPal's. */
const life = 3 * 3_600_000;

/** Error for a checkout that has expired. */
export const expiredCheckout = "This checkout has expired and nothing was paid. Please buy again";

/** Earliest start of a payment that has not expired. */
export const oldestLiving = (now: Date): Date => new Date(now.getTime() - life);

/** A payment in the sandbox. */
export interface SandboxPayment {
  amount_cents: number;
  currency: string;
  payer_id: string | null;
  capture_id: string | null;
  created_time: Date;
}

/** Why a payment cannot be captured; undefined when it can, or has been. */
export const captureError = (
  payment: SandboxPayment | undefined,
  payerId: string,
  amount: Amount,
  now: Date,
): string | undefined => {
  if (!payment || payment.payer_id !== payerId) return "This payment has not been approved";
  if (payment.amount_cents !== amount.cents || payment.currency !== amount.currency)
    return "The approved amount is not that of the order. Nothing was paid";
  if (payment.capture_id === null && payment.created_time < oldestLiving(now)) return expiredCheckout;
  return undefined;
};
