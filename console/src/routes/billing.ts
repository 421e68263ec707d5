import { IconMessage } from "@tabler/icons-react";
import { lazyRouteComponent } from "@tanstack/react-router";
import { loadPart } from "../ui/load-part.ts";
import type { Page } from "./page.ts";

const screens = () => loadPart(() => import("./screens/billing-screens.tsx"));
type Screen = keyof Awaited<ReturnType<typeof screens>>;

const page = (row: Omit<Page, "screen">, screen: Screen): Page => ({
  ...row,
  screen: lazyRouteComponent(screens, screen),
});

/** SMS in the menu. (spec 1 §6) */
export const smsPage = page(
  { path: "/sms", title: "SMS", needs: "sms.read", menu: { label: "SMS", icon: IconMessage } },
  "SmsScreen",
);

/** The pages on the way to a payment. */
export const moneyPages: readonly Page[] = [
  page({ path: "/orderss", title: "Purchase", needs: "devices.pay", under: "/devices" }, "OrderConfirmationScreen"),
  page({ path: "/paybtn", title: "Payment", needs: "devices.pay", under: "/devices" }, "PayButtonScreen"),
  {
    path: "/sandboxCheckout",
    title: "Sandbox checkout",
    needs: "devices.pay",
    under: "/devices",
    screen: lazyRouteComponent(
      () => loadPart(() => import("../features/billing/orders/sandbox-checkout.tsx")),
      "SandboxCheckoutScreen",
    ),
  },
  {
    path: "/payResult",
    title: "Payment",
    needs: "devices.pay",
    under: "/devices",
    screen: lazyRouteComponent(
      () => loadPart(() => import("../features/billing/orders/pay-result.tsx")),
      "PayResultScreen",
    ),
  },
];
