import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import type { Page } from "@playwright/test";
import { expect, test } from "./harness.ts";
import { openSignedInAs } from "./people.ts";
import { startServer } from "./server-process.ts";

test.describe.configure({ timeout: 180_000 });

const dist = join(import.meta.dirname, "../console/dist");
const withWorkers = { serviceWorkers: "allow" } as const;

/** The caches of the page's origin, with the paths that each holds. */
const cachesOf = (page: Page): Promise<Record<string, string[]>> =>
  page.evaluate(async () => {
    const names = await caches.keys();
    const contents = names.map(async (name) => {
      const requests = await (await caches.open(name)).keys();
      return [name, requests.map(({ url }) => new URL(url).pathname)] as const;
    });
    return Object.fromEntries(await Promise.all(contents));
  });

/** Resolves when a service worker serves the page. */
const controlled = (page: Page) =>
  page.waitForFunction(async () => {
    await navigator.serviceWorker.ready;
    return navigator.serviceWorker.controller !== null;
  });

test("the console can be installed: its manifest is linked, with icons of the sizes that it says", async ({ page }) => {
  await page.goto("/login");
  const link = await page.locator('link[rel="manifest"]').getAttribute("href");
  const answer = await page.request.get(link ?? "");
  expect(answer.headers()["content-type"]).toContain("application/manifest+json");
  const { icons, ...manifest } = await answer.json();
  expect(manifest).toMatchObject({ name: "Telltale", display: "standalone", start_url: "/", scope: "/" });
  for (const { src, sizes, type } of icons) {
    const icon = await page.request.get(src);
    expect(icon.headers()["content-type"]).toBe(type);
    const png = await icon.body();
    expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`).toBe(sizes);
  }
});

test("without its server the installed console starts and says so; of the server's answers nothing is cached", async ({
  openElsewhere,
}) => {
  const server = await startServer({ demo: false });
  try {
    const [email, secret] = ["keeper@example.com", "as long as it lasts"];
    await server.telltale("users", "add", "--email", email, "--password", secret, "--owner");
    const page = await openElsewhere(withWorkers);
    const refusals: string[] = [];
    page.on("console", (message) => {
      if (/content security policy/i.test(message.text())) refusals.push(message.text());
    });
    await openSignedInAs(page, server, email, secret);
    await controlled(page);
    const cached = Object.values(await cachesOf(page)).flat();
    expect(cached).toContain("/shell");
    expect(
      cached.filter((path) => !/^\/(shell|first\.js|[\w-]+\.(svg|png|webmanifest)|assets\/.+)$/.test(path)),
    ).toEqual([]);

    await server.kill9();
    await page.goto(`${server.baseURL}/alarms`);
    await expect(page.getByText("Telltale").first()).toBeVisible();
    await expect(page.getByText("Network is busy", { exact: false }).first()).toBeVisible();
    expect(await page.evaluate(() => getComputedStyle(document.body).fontFamily), "with its styles").toContain("Plex");
    await server.restart();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(/ALERT/, { timeout: 60_000 });
    expect(refusals).toEqual([]);
  } finally {
    await server.stop();
  }
});

const types: Record<string, string> = {
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".html": "text/html",
};

/** Serves the built console as of a version: the service worker's cache has it in its name. */
const serveVersions = async () => {
  let version = "first";
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    const name = /\.\w+$/.test(path) ? path : "/index.html";
    const content = await readFile(join(dist, name)).catch(() => undefined);
    response.writeHead(content ? 200 : 404, { "content-type": types[extname(name)] ?? "application/octet-stream" });
    const isWorker = name === "/sw.js" && content;
    response.end(isWorker ? content.toString().replace(/(const version = ")[^"]+/, `$1${version}`) : content);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    upgrade: () => {
      version = "second";
    },
    close: () => server.close(),
  };
};

test("a new version's service worker takes over at once, and removes the cache of the one before", async ({
  openElsewhere,
}) => {
  const site = await serveVersions();
  try {
    const page = await openElsewhere({ ...withWorkers, baseURL: site.address });
    await page.goto("/login");
    await page.evaluate(() => navigator.serviceWorker.register("/sw.js"));
    await controlled(page);
    await expect.poll(async () => Object.keys(await cachesOf(page))).toEqual(["telltale-shell-first"]);
    site.upgrade();
    await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
    await expect.poll(async () => Object.keys(await cachesOf(page))).toEqual(["telltale-shell-second"]);
    expect(await page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe("activated");
  } finally {
    site.close();
  }
});
