import { IconLifebuoy } from "@tabler/icons-react";
import { lazyRouteComponent } from "@tanstack/react-router";
import { loadPart } from "../ui/load-part.ts";
import type { Page } from "./page.ts";

/** SUPPORT in the menu, of every role. (spec 1 §6) */
export const supportPage: Page = {
  path: "/support",
  title: "SUPPORT",
  needs: "support.read",
  menu: { label: "SUPPORT", icon: IconLifebuoy, tab: true },
  screen: lazyRouteComponent(() => loadPart(() => import("./screens/support-screen.tsx")), "SupportScreen"),
};
