import type { Input } from "@telltale/contract/call/call";
import type { push } from "@telltale/contract/domains/people/push";

/** Why this browser can't get pushes; undefined where it can. */
export const pushObstacle = (): string | undefined => {
  if (!isSecureContext) return "Browsers get pushes only from an https:// address";
  if (!("serviceWorker" in navigator && "PushManager" in globalThis))
    return /iPhone|iPad/.test(navigator.userAgent)
      ? "Add this page to the home screen first, and open it there"
      : "This browser can't get pushes";
  if (Notification.permission === "denied")
    return "This browser blocks notifications of this page: allow them in its settings, and load the page again";
  return undefined;
};

const base64url = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");

/** Asks the user for permission and subscribes the browser at its push service, by the server's public key. */
export const subscribeBrowser = async (publicKey: string): Promise<Input<typeof push.subscribe>> => {
  if ((await Notification.requestPermission()) !== "granted")
    throw new Error("The browser has not allowed notifications: switch it on again and choose Allow");
  const { pushManager } = await navigator.serviceWorker.ready;
  const before = await pushManager.getSubscription();
  // Of another server at this address, as after a new installation.
  const key = before?.options.applicationServerKey;
  if (before && !(key && base64url(key) === publicKey)) await before.unsubscribe();
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  const { endpoint, keys } = subscription.toJSON();
  return { endpoint: endpoint ?? "", p256dh: keys?.p256dh ?? "", auth: keys?.auth ?? "" };
};
