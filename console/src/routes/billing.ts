import { IconMessage } from "@tabler/icons-react";
import { loadWithRetry } from "../ui/load-with-retry.ts";
import { isGiven, text, textOf } from "../ui/page/search.ts";
import { type Page, screenWith } from "./page.ts";

const screens = () => loadWithRetry(() => import("./screens/billing-screens.tsx"));

/** SMS in the menu. (spec 1 §6) */
export const smsPage: Page = {
  path: "/sms",
  title: "SMS",
  needs: "sms.read",
  menu: { label: "SMS", icon: IconMessage },
  screen: screenWith({ tab: text }, screens, "SmsScreen"),
};

/** The pages of a payment. */
export const billingPages: readonly Page[] = [
  {
    path: "/orderss",
    title: "Purchase",
    needs: "devices.pay",
    under: "/devices",
    screen: screenWith({ id: textOf, buy: isGiven }, screens, "OrderConfirmationScreen"),
  },
  {
    path: "/paybtn",
    title: "Payment",
    needs: "devices.pay",
    under: "/devices",
    screen: screenWith({ orderSn: textOf }, screens, "PayButtonScreen"),
  },
  {
    path: "/sandboxCheckout",
    title: "Sandbox checkout",
    needs: "devices.pay",
    under: "/devices",
    screen: screenWith(
      { paymentId: textOf },
      () => loadWithRetry(() => import("../features/billing/orders/sandbox-checkout.tsx")),
      "SandboxCheckoutScreen",
    ),
  },
  {
    path: "/payResult",
    title: "Payment",
    needs: "devices.pay",
    under: "/devices",
    screen: screenWith(
      { paymentId: text, token: text, PayerID: text, cancelled: isGiven },
      () => loadWithRetry(() => import("../features/billing/orders/pay-result.tsx")),
      "PayResultScreen",
    ),
  },
];
