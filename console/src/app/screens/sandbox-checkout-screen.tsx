import { useSearch } from "@tanstack/react-router";
import { SandboxCheckout } from "../../features/orders/sandbox-checkout.tsx";

/** /sandboxCheckout?paymentId= approves a purchase where there is no payment provider. */
export const SandboxCheckoutScreen = () => {
  const { paymentId } = useSearch({ strict: false }) as Record<string, unknown>;
  return <SandboxCheckout paymentId={String(paymentId ?? "")} />;
};
