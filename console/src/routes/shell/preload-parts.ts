import { loadVirtualizer } from "../../table/use-virtualizer.ts";
import { registerServiceWorker } from "./service-worker.ts";

/** The dialogs and menus that most screens open, and the service worker, loaded so that they open at once, also when the server is unreachable. */
export const preloadParts: readonly (() => Promise<unknown>)[] = [
  loadVirtualizer,
  () => import("../../ui/dialog/modal-dialog.tsx"),
  () => import("../../features/accounts/menu/account-dropdown.tsx"),
  () => import("../../features/alerts/confirm/confirm-dialogs.ts"),
  () => import("../../features/alerts/standing/standing-list.tsx"),
  () => import("./menu-sheet.tsx"),
  () => import("./member-menu.tsx"),
  () => import("./member-sheet.tsx"),
  registerServiceWorker,
];
