import { SilentPage } from "../../features/alerts/silence/silent-page.tsx";
import { usePurchase } from "../../features/billing/orders/use-purchase.tsx";

/** /alarms/silent: what is silent now, with the purchase of service that has ended. */
export const SilentScreen = () => {
  const purchase = usePurchase();
  return (
    <>
      <SilentPage onPay={purchase.ask} />
      {purchase.dialog}
    </>
  );
};
