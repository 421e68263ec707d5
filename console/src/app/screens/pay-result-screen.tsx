import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { PayResult } from "../../features/orders/pay-result.tsx";
import { confirmationPath, rememberedPage } from "../../session/return-page.ts";

/** Goes on to another page of the console. */
const Back = ({ page }: { page: string }): ReactNode => {
  const navigate = useNavigate();
  useEffect(() => void navigate({ href: page, replace: true }), [navigate, page]);
  return null;
};

/**
 * /payResult?paymentId=&PayerID= is where a payment provider sends the buyer back to; PayPal calls the payment `token`. Whoever comes from the
 * confirmation of an order buys there and not here, and whoever has cancelled goes back. (spec 2 §2)
 */
export const PayResultScreen = () => {
  const { paymentId, token, PayerID, cancelled } = useSearch({ strict: false }) as Record<string, unknown>;
  const page = rememberedPage();
  if (cancelled !== undefined || page.startsWith(`${confirmationPath}?`)) return <Back page={page} />;
  return <PayResult paymentId={String(paymentId ?? token ?? "")} payerId={String(PayerID ?? "")} />;
};
