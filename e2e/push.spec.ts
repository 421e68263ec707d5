import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { expect, test } from "./harness.ts";
import { openSignedInAs } from "./people.ts";
import { startServer } from "./server-process.ts";
import { addUnit, reportOnce } from "./unit.ts";

test.describe.configure({ timeout: 180_000 });

const owner = "keeper@example.com";
const secret = "as long as it lasts";

/** A push service on this machine, which records what is posted to it. */
const startPushService = async () => {
  const posted: string[] = [];
  const service = createServer((request, response) => {
    posted.push(request.url ?? "");
    request.resume().on("end", () => response.writeHead(201).end());
  }).listen(0, "127.0.0.1");
  await once(service, "listening");
  return {
    posted,
    address: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
    stop: () => service.close(),
  };
};

/** Lets the browser subscribe at this service instead of its maker's, which tests don't reach; the key pair is a real one. */
const subscribeAt = async (page: Page, endpoint: string): Promise<void> => {
  await page.addInitScript((address) => {
    const base64url = (bytes: ArrayBuffer | Uint8Array<ArrayBuffer>) =>
      btoa(String.fromCharCode(...new Uint8Array(bytes)))
        .replaceAll("+", "-")
        .replaceAll("/", "_")
        .replaceAll("=", "");
    PushManager.prototype.subscribe = async () => {
      const pair = await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"]);
      const keys = {
        p256dh: base64url(await crypto.subtle.exportKey("raw", pair.publicKey)),
        auth: base64url(crypto.getRandomValues(new Uint8Array(16))),
      };
      return Object.assign(Object.create(PushSubscription.prototype), { toJSON: () => ({ endpoint: address, keys }) });
    };
  }, endpoint);
};

/** Hands a message to the page's service worker, as the browser does that has got and decrypted it. */
const deliver = async (page: Page, message: object): Promise<void> => {
  const [worker = await page.context().waitForEvent("serviceworker")] = page.context().serviceWorkers();
  await worker.evaluate((data) => {
    self.dispatchEvent(Object.assign(new Event("push"), { data: { json: () => data }, waitUntil: () => undefined }));
  }, message);
};

test("a browser is subscribed to its user's alerts, shows them, and is removed again", async ({ openElsewhere }) => {
  const service = await startPushService();
  const server = await startServer({ demo: false, env: { PUSH_SERVICES: service.address } });
  try {
    await server.telltale("users", "add", "--email", owner, "--password", secret, "--owner");
    const unit = await addUnit(server, { owner });
    const page = await openElsewhere({ serviceWorkers: "allow", permissions: ["notifications"] });
    await subscribeAt(page, `${service.address}/browser`);
    await openSignedInAs(page, server, owner, secret);
    await page.goto(`${server.baseURL}/quietHours`);
    const toggle = page.getByRole("switch", { name: "Send my alerts to this browser" });
    await expect(toggle).not.toBeChecked();
    await toggle.click();
    await expect(toggle).toBeChecked();
    const browsers = page.getByRole("list", { name: "Browsers that get your alerts" });
    await expect(browsers).toContainText("(this browser)");

    await reportOnce(server, unit, { AI1: 99 });
    await expect.poll(() => service.posted).toContain("/browser");
    const [title, url] = ["P1 Wet well high, 3.42 m", `${server.baseURL}/c/abc`];
    await deliver(page, { title, body: "Look at the inlet screens", url, tag: "alert-1" });
    const shown = () =>
      page.evaluate(async () => {
        const { active } = await navigator.serviceWorker.ready;
        const notifications = active ? await (await navigator.serviceWorker.ready).getNotifications() : [];
        return notifications.map(({ title, body, data }) => [title, body, data.url]);
      });
    await expect.poll(shown).toEqual([[title, "Look at the inlet screens", url]]);

    await browsers.getByRole("button", { name: /^Remove Chrome/ }).click();
    await expect(toggle).not.toBeChecked();
    await expect(browsers).toHaveCount(0);
  } finally {
    await server.stop();
    service.stop();
  }
});
