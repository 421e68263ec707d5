/**
 * Registers the service worker, which lets the console be installed and start without a network. Browsers have none on pages that were loaded
 * without TLS, except from the machine itself.
 */
export const registerServiceWorker = async (): Promise<void> => {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  await navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" });
};
