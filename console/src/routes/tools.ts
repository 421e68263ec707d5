import { loadWithRetry } from "../ui/load-with-retry.ts";
import { id } from "../ui/page/search.ts";
import { lazyScreen } from "../ui/router/screen.tsx";
import { type Page, screenWith } from "./page.ts";

const screens = () => loadWithRetry(() => import("./screens/tools-screens.tsx"));

/** Joint control, watchlist and shortcuts: no menu entries, but links from related pages. (decisions §4) */
export const toolsPages: readonly Page[] = [
  {
    path: "/joint",
    title: "JOINT CONTROL",
    needs: "joint.read",
    under: "/alarms",
    screen: lazyScreen(screens, "JointScreen"),
  },
  {
    path: "/jointAdd",
    title: "JOINT CONTROL",
    needs: "joint.read",
    under: "/alarms",
    screen: screenWith({ jointId: id }, screens, "JointAddScreen"),
  },
  {
    path: "/personal",
    title: "WATCHLIST",
    needs: "personal.read",
    under: "/",
    screen: lazyScreen(screens, "PersonalScreen"),
  },
  {
    path: "/personalAdd",
    title: "WATCHLIST",
    needs: "personal.write",
    under: "/",
    screen: lazyScreen(screens, "PersonalAddScreen"),
  },
  {
    path: "/keyboard",
    title: "KEYBOARD SHORTCUTS",
    needs: "personal.read",
    screen: lazyScreen(screens, "KeyboardScreen"),
  },
  {
    path: "/keyboardAdd",
    title: "KEYBOARD SHORTCUTS",
    needs: "personal.write",
    screen: screenWith({ shortcutId: id }, screens, "KeyboardAddScreen"),
  },
];
