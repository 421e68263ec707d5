// The service worker of the installed console: it starts without a network, and shows pushes. Only the shell is cached, which is the page with its script, styles and
// fonts; answers of the API, and everything else, come from the network as without it. A worker can import nothing of the bundle, so it is a file of
// its own; the build enters the shell's files (console/scripts/service-worker.ts).

const version = "%SHELL_VERSION%";
const files = "%SHELL_FILES%".split(" ");
/** Its name has a hash: a page that names it is of this version. */
const entry = "%SHELL_ENTRY%";

/** Any page of the console; this address is never redirected to a mobile site. */
const page = "/shell";
const prefix = "telltale-shell-";
const cacheName = prefix + version;

/** What a proxy answers while the server behind it is away. */
const away = [502, 503, 504];

/** Fills this version's cache, completely or not at all: of several nodes, one may still serve the version before. */
const install = async () => {
  const answer = await fetch(page, { cache: "no-store" });
  if (!answer.ok || answer.redirected || !(await answer.clone().text()).includes(entry))
    throw new Error("The page is not of this version; trying again later");
  const cache = await caches.open(cacheName);
  await cache.addAll(files);
  await cache.put(page, answer);
  // Open pages keep their script and load its parts from the network, so the new version need not wait for them.
  await self.skipWaiting();
};

const activate = async () => {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(prefix) && name !== cacheName).map((name) => caches.delete(name)),
  );
  await self.clients.claim();
};

const kept = async (path) => (await caches.open(cacheName)).match(path);

/** A page from the network, with its own nonce; the cached one only while the server can't be reached. */
const pageOf = async (request) => {
  const answer = await fetch(request).catch(() => undefined);
  if (answer && !away.includes(answer.status)) return answer;
  return (await kept(page)) ?? answer ?? Response.error();
};

/** A file of the shell: one with a hash in its name never changes, the others come from the network if possible. */
const fileOf = async (request, path) => {
  const isHashed = path.startsWith("/assets/");
  const answer = isHashed ? await kept(path) : await fetch(request).catch(() => undefined);
  return answer ?? (isHashed ? fetch(request) : ((await kept(path)) ?? Response.error()));
};

const isPage = ({ mode }, path) => mode === "navigate" && !/^\/(api|web)(\/|$)/.test(path) && !/\.\w+$/.test(path);

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (isPage(request, pathname)) event.respondWith(pageOf(request));
  else if (files.includes(pathname)) event.respondWith(fileOf(request, pathname));
});

/** Shows a push (server/src/notify/letters/push-notice.ts); browsers end a subscription whose pushes show nothing. */
const show = (data) => {
  const { title = "Telltale", body, url, consoleUrl, tag, isUrgent = false } = data?.json() ?? {};
  const actions = consoleUrl
    ? [
        { action: "confirm", title: "Confirm" },
        { action: "open", title: "Open" },
      ]
    : [];
  return self.registration.showNotification(title, {
    body,
    ...(tag ? { tag, renotify: true } : {}),
    icon: "/icon-192.png",
    requireInteraction: isUrgent,
    data: { url: url ?? "/", consoleUrl },
    actions,
  });
};

/** Opens the recipient's own link, where a button confirms, or the alert in the console. */
const open = ({ action, notification }) => {
  const { url, consoleUrl } = notification.data;
  notification.close();
  return self.clients.openWindow(action === "open" && consoleUrl ? consoleUrl : url);
};

self.addEventListener("push", (event) => event.waitUntil(show(event.data)));
self.addEventListener("notificationclick", (event) => event.waitUntil(open(event)));
