import type { World } from "../../../world.ts";
import { noPayments, type Payments } from "./payments.ts";
import type { PaypalAccount } from "./paypal-client.ts";
import { createSandboxPayments } from "./sandbox.ts";

/** PayPal's SDK is large: loaded only where it is used. */
const paypalPayments = async (...needs: Parameters<typeof import("./paypal.ts").createPaypalPayments>) => {
  const { createPaypalPayments } = await import("./paypal.ts");
  return createPaypalPayments(...needs);
};

/** Chooses the payment provider: PayPal with an account; the sandbox in a demonstration or on the operator's request; otherwise none. */
export const openPayments = async (
  world: Pick<World, "db" | "clock" | "log" | "publicUrl">,
  { paypal, isSandbox }: { paypal: PaypalAccount | undefined; isSandbox: boolean },
): Promise<Payments> => {
  if (paypal) return paypalPayments(world, paypal);
  return isSandbox ? createSandboxPayments(world) : noPayments;
};
