import type { World } from "../../../world.ts";
import { noPayments, type Payments } from "./payments.ts";
import type { PaypalAccount } from "./paypal-client.ts";
import { createSandboxPayments } from "./sandbox.ts";

/** PayPal's SDK is large; only a server that uses it holds it in memory. */
const paypalPayments = async (...needs: Parameters<typeof import("./paypal.ts").createPaypalPayments>) => {
  const { createPaypalPayments } = await import("./paypal.ts");
  return createPaypalPayments(...needs);
};

/** PayPal with an account; the sandbox where nothing real is sold or the operator wants it; else nothing can be bought. */
export const openPayments = async (
  world: Pick<World, "db" | "clock" | "log" | "publicUrl">,
  { paypal, isSandbox }: { paypal: PaypalAccount | undefined; isSandbox: boolean },
): Promise<Payments> => {
  if (paypal) return paypalPayments(world, paypal);
  return isSandbox ? createSandboxPayments(world) : noPayments;
};
