import { OrderConfirmation } from "../../features/billing/orders/order-confirmation.tsx";
import { PayButton } from "../../features/billing/orders/pay-button.tsx";

export { SmsCredit as SmsScreen } from "../../features/billing/sms-credit/sms-credit.tsx";

/** /orderss?id= reviews a purchase before it is paid; `buy` when BUY NOW was pressed before the approval. (spec 2 §2) */
export const OrderConfirmationScreen = ({ id, buy }: { id: string; buy: boolean }) => (
  <OrderConfirmation id={id} isBuying={buy} />
);

/** /paybtn?orderSn= is one order's payment button, for a link that can be mailed. (decisions §4) */
export const PayButtonScreen = ({ orderSn }: { orderSn: string }) => <PayButton orderSn={orderSn} />;
