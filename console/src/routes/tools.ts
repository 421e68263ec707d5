import { lazyRouteComponent } from "@tanstack/react-router";
import { loadPart } from "../ui/load-part.ts";
import type { Page } from "./page.ts";

const screens = () => loadPart(() => import("./screens/tools-screens.tsx"));
type Screen = keyof Awaited<ReturnType<typeof screens>>;

const page = (row: Omit<Page, "screen">, screen: Screen): Page => ({
  ...row,
  screen: lazyRouteComponent(screens, screen),
});

/** Joint control, watchlist and shortcuts: no menu entry, but ways to them from the pages that they have to do with. (decisions §4) */
export const ownPages: readonly Page[] = [
  page({ path: "/joint", title: "JOINT CONTROL", needs: "joint.read", under: "/alarms" }, "JointScreen"),
  page({ path: "/jointAdd", title: "JOINT CONTROL", needs: "joint.read", under: "/alarms" }, "JointAddScreen"),
  page({ path: "/personal", title: "WATCHLIST", needs: "personal.read", under: "/" }, "PersonalScreen"),
  page({ path: "/personalAdd", title: "WATCHLIST", needs: "personal.write", under: "/" }, "PersonalAddScreen"),
  page({ path: "/keyboard", title: "KEYBOARD SHORTCUTS", needs: "personal.read" }, "KeyboardScreen"),
  page({ path: "/keyboardAdd", title: "KEYBOARD SHORTCUTS", needs: "personal.write" }, "KeyboardAddScreen"),
];
