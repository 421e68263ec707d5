import { push } from "@telltale/contract/domains/people/push";
import { client } from "../../session/client.ts";

/**
 * Registers the service worker, which lets the console be installed, start without a network and get pushes. Browsers have none on pages that were
 * loaded without TLS, except from the machine itself. A browser that gets pushes belongs to the session of now: signing out ends them.
 */
export const registerServiceWorker = async (): Promise<void> => {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  const { pushManager } = await navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" });
  // Absent in Safari of an iPhone, unless the console is on the home screen.
  const subscription = await pushManager?.getSubscription();
  if (subscription) await client(push.resume, { endpoint: subscription.endpoint });
};
