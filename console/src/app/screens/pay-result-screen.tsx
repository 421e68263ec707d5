import { useSearch } from "@tanstack/react-router";
import { PayResult } from "../../features/orders/pay-result.tsx";

/** /payResult?paymentId=&PayerID= is where a payment provider sends the buyer back to. (spec 2 §2) */
export const PayResultScreen = () => {
  const { paymentId, PayerID } = useSearch({ strict: false }) as Record<string, unknown>;
  return <PayResult paymentId={String(paymentId ?? "")} payerId={String(PayerID ?? "")} />;
};
