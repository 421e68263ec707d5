import type { Page } from "@playwright/test";
import { alerts } from "@telltale/contract/domains/alerts";
import { tileCalls } from "@telltale/contract/domains/dashboard/tiles";
import { addressesOf } from "./answers.ts";
import { expect, test } from "./harness.ts";
import { injectSession } from "./people.ts";

/** Holds all scripts of the console back until the returned function is called. */
const holdScripts = async (page: Page): Promise<() => void> => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/assets/*.js", async (route) => {
    await released;
    await route.continue();
  });
  return release;
};

const boxOf = async (page: Page, mark: string) => {
  const first = page.locator(mark).first();
  await expect(first).toBeVisible();
  return first.boundingBox();
};

for (const { path, isSignedIn, look } of [
  { path: "/login", isSignedIn: false, look: "the login's brand" },
  { path: "/", isSignedIn: true, look: "the bar" },
])
  test(`${look} is there before a script has run, and stays where it is`, { tag: "@phone" }, async ({
    page,
    server,
  }) => {
    if (isSignedIn) await injectSession(page, server);
    const release = await holdScripts(page);
    await page.goto(path, { waitUntil: "commit" });
    const before = await boxOf(page, ".starting svg");
    await expect(page.getByText("Loading Telltale")).toBeVisible();
    release();
    await expect(page.getByRole("main")).toBeVisible();
    await expect(page.getByText("Loading Telltale")).toBeHidden();
    expect(await boxOf(page, "header a svg")).toEqual(before);
  });

test("the dashboard asks for its alerts and tiles before its script runs, and once", async ({ page, server }) => {
  await injectSession(page, server);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  const release = await holdScripts(page);
  await page.goto("/", { waitUntil: "commit" });
  const first = [alerts.unconfirmed.path, tileCalls.tiles.path];
  await expect.poll(() => first.every((path) => asked.includes(path))).toBe(true);
  release();
  await expect(page.getByRole("region", { name: "Channels" })).toBeVisible();
  for (const path of first)
    expect(
      asked.filter((each) => each === path),
      path,
    ).toHaveLength(1);
});

test("an answer that does not come keeps nothing else of the first screen from being loaded", async ({
  page,
  server,
}) => {
  await injectSession(page, server);
  await page.route(addressesOf(tileCalls.tiles), () => undefined);
  await page.goto("/");
  await expect(page.getByRole("region", { name: "Loading channels" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Find" })).toBeVisible();
});

test("English texts are shown in the font's first part, and need no other", async ({ page }) => {
  await page.goto("/login");
  await expect(page.getByRole("button", { name: "Log IN" })).toBeVisible();
  const loaded = () =>
    page.evaluate(() =>
      [...document.fonts]
        .filter(({ family, status }) => family.includes("Plex Sans") && status !== "unloaded")
        .map(({ status, unicodeRange }) => `${status} ${unicodeRange.split(",", 1)[0]}`),
    );
  await expect.poll(loaded).toEqual(["loaded U+20-7E"]);
});
