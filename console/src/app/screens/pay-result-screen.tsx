import { Navigate, useSearch } from "@tanstack/react-router";
import { PayResult } from "../../features/orders/pay-result.tsx";
import { confirmationPath, rememberedPage } from "../../session/return-page.ts";

/**
 * /payResult?paymentId=&PayerID= is where a payment provider sends the buyer back to; PayPal calls the payment `token`. Whoever comes from the
 * confirmation of an order buys there and not here, and whoever has cancelled goes back. (spec 2 §2)
 */
export const PayResultScreen = () => {
  const { paymentId, token, PayerID, cancelled } = useSearch({ strict: false }) as Record<string, unknown>;
  const page = rememberedPage();
  if (cancelled !== undefined || page.startsWith(`${confirmationPath}?`)) return <Navigate href={page} replace />;
  return <PayResult paymentId={String(paymentId ?? token ?? "")} payerId={String(PayerID ?? "")} />;
};
