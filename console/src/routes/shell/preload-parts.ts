import { push } from "@telltale/contract/domains/people/push";
import { client } from "../../session/client.ts";
import { loadVirtualizer } from "../../table/use-virtualizer.ts";

/**
 * Registers the service worker, which lets the console be installed, start without a network and get pushes. Browsers have none on pages that were
 * loaded without TLS, except from the machine itself. A browser that gets pushes belongs to the session of now: signing out ends them.
 */
const registerServiceWorker = async (): Promise<void> => {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  const { pushManager } = await navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" });
  // Absent in Safari of an iPhone, unless the console is on the home screen.
  const subscription = await pushManager?.getSubscription();
  if (subscription) await client(push.resume, { endpoint: subscription.endpoint });
};

/** The dialogs and menus that most screens open, and the service worker, loaded so that they open at once, also when the server is unreachable. */
export const preloadParts: readonly (() => Promise<unknown>)[] = [
  loadVirtualizer,
  () => import("../../ui/dialog/modal-dialog.tsx"),
  () => import("../../features/accounts/menu/account-dropdown.tsx"),
  () => import("../../features/alerts/confirm/confirm-dialogs.ts"),
  () => import("../../features/devices/add/add-device-dialog.tsx"),
  () => import("../../features/alerts/standing/standing-list.tsx"),
  () => import("../../features/dashboards/rewind/rewind.tsx"),
  () => import("../palette/palette.tsx"),
  () => import("../screens/dashboard-rest.tsx"),
  () => import("./menu-sheet.tsx"),
  () => import("./member-menu.tsx"),
  () => import("./member-sheet.tsx"),
  registerServiceWorker,
];
