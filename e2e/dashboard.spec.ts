import type { Locator, Page } from "@playwright/test";
import { tileCalls } from "@telltale/contract/domains/dashboard/tiles";
import { expect, test } from "./harness.ts";
import { addOwner } from "./mailing.ts";
import { openSignedIn, openSignedInAs } from "./people.ts";
import { tileOf } from "./screen.ts";
import { addUnit, connectUnit, freshName, publish, reportOnce } from "./unit.ts";

const secret = "as long as it lasts";

const tilesOf = (page: Page): Locator => page.getByRole("region", { name: "Channels" }).getByRole("link");

test("there are four tiles in a row, and the class of their icons changes every four", async ({ page, server }) => {
  await openSignedIn(page, server);
  await expect(tilesOf(page).nth(8)).toBeVisible();
  const tops = await tilesOf(page).evaluateAll((all) => all.map((tile) => tile.getBoundingClientRect().top));
  expect(tops.filter((top) => top === tops[0])).toHaveLength(4);
  const classes = await tilesOf(page).evaluateAll((all) =>
    all.map((tile) => /ti-\d/.exec(tile.querySelector("[class*='ti-']")?.className ?? "")?.[0]),
  );
  expect(classes).toEqual(classes.map((_, index) => `ti-${Math.floor(index / 4) % 4}`));
});

test("a tile shows value and unit, red in alarm, and N/A on grey without data, whatever it showed before", async ({
  page,
  server,
}) => {
  const unit = await addUnit(server);
  await openSignedIn(page, server);
  const tile = tileOf(page, "AI1", unit.name);
  await expect(tile, "never reported").toHaveAttribute("data-state", "no-data");
  await expect(tile).toContainText("N/A");
  const grey = await tile.evaluate((element) => getComputedStyle(element).backgroundImage);
  expect(grey, "hatched").toContain("gradient");

  const device = await connectUnit(server, unit);
  await publish(device, { AI1: 20 });
  await expect(tile).toHaveAttribute("data-state", "normal");
  await expect(tile).toContainText(/Pressure\s*AI1.*20\.00\s*bar/i);
  await publish(device, { AI1: 99 });
  await expect(tile).toHaveAttribute("data-state", "alarm");
  const [red, green, blue] = await tile.getByText("99.00").evaluate(
    (element) =>
      getComputedStyle(element)
        .color.match(/[\d.]+/g)
        ?.map(Number) ?? [],
  );
  expect(red, "red text").toBeGreaterThan(2 * Math.max(green ?? 255, blue ?? 255));
  // Beyond the sensor's range an alert goes on.
  await publish(device, { AI1: -50 });
  await expect(tile).toContainText("UNDER RANGE sensor 0 ~ 100 bar");
  await expect(tile).toHaveAttribute("data-state", "alarm");
  await publish(device, { AI1: 20 });
  await expect(tile).toHaveAttribute("data-state", "normal");
  await publish(device, { AI1: -50 });
  await expect(tile).toHaveAttribute("data-state", "no-data");
  await expect(tile).toContainText("N/A");
  await expect(tile).not.toContainText("20.00");
  await device.endAsync();
});

test("a tile in alarm says so while the channels of other tiles are still loading", async ({ page, server }) => {
  const unit = await addUnit(server);
  await reportOnce(server, unit, { AI1: 99 });
  await page.route(`**${tileCalls.unitPart.path}*`, () => undefined);
  await openSignedIn(page, server);
  await expect(tileOf(page, "AI1", unit.name)).toHaveAttribute("data-state", "alarm");
  await expect(tileOf(page, "AI2", unit.name)).toHaveAttribute("data-state", "no-data");
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

test("a digital channel shows ON or OFF", async ({ page, server }) => {
  const unit = await addUnit(server, { name: freshName("Switch"), model: "DIS" });
  await openSignedIn(page, server);
  const tile = tileOf(page, "DI1", unit.name);
  for (const [value, word] of [
    [1, "ON"],
    [0, "OFF"],
  ] as const) {
    await reportOnce(server, unit, { DI1: value });
    await expect(tile).toContainText(word);
  }
});

test("a motor controller's tile lists its registers, and a group's its channels", async ({ page, server }) => {
  test.slow();
  await openSignedIn(page, server);
  const region = page.getByRole("region", { name: "Channels" });
  const motor = region.getByTitle("Feed pump drive", { exact: true });
  await expect(motor.getByRole("term")).toHaveText([
    "I A",
    "I B",
    "I C",
    "Frequency",
    "Real Power",
    "Power Factor",
    "Relay Status",
    "Fault",
  ]);
  // The drives were added last, so their history is written last.
  await expect(motor.getByRole("definition").first()).not.toHaveText("N/A", { timeout: 120_000 });
  for (const [index, shown] of [/^\d+\.\d ?A$/, /^\d+\.\d ?A$/, /^\d+\.\d ?A$/, /^\d+\.\d ?Hz$/].entries())
    await expect(motor.getByRole("definition").nth(index)).toHaveText(shown);
  await expect(motor.getByRole("definition").last()).toHaveText(/^0-No$|^\d+-Fail$/);
  const group = region.getByTitle(/^Standby pump phase currents/);
  await expect(group.getByRole("term")).toHaveText(["I A", "I B", "I C"]);
});

test.describe("on a server of its own, where no other test raises what is more urgent", () => {
  test.use({ own: "banner" });

  test("at most 4 alerts are previewed, newest first", async ({ page, server }) => {
    // A plant of its own: the demonstration's simulated devices raise alerts too.
    const owner = await addOwner(server, secret);
    const units = [];
    for (let count = 0; count < 5; count += 1) units.push(await addUnit(server, { owner }));
    for (const unit of units) await reportOnce(server, unit, { AI1: 99 });
    await openSignedInAs(page, server, owner, secret);
    const windows = page.getByRole("region", { name: "Unconfirmed alerts" }).getByRole("article");
    await expect(windows).toHaveCount(4);
    await expect(page.getByText(/^4 of \d+ unconfirmed alerts shown$/)).toBeVisible();
    for (const [index, unit] of units.slice(1).reverse().entries())
      await expect(windows.nth(index)).toContainText(unit.name);

    // What the pointer is on stays under it: a new alert waits at the count until the pointer has left.
    const [late, first] = [await addUnit(server, { owner }), units.at(-1)];
    await windows.first().getByRole("button").hover();
    await reportOnce(server, late, { AI1: 99 });
    await expect(page.getByRole("log", { name: "New alerts" })).toContainText(late.name);
    await expect(windows.first()).toContainText(first?.name ?? "");
    await page.getByRole("heading", { level: 1 }).hover();
    await expect(windows.first()).toContainText(late.name);
  });

  test("alerts that stood before are not announced as new where their list could first not be fetched", async ({
    page,
    server,
  }) => {
    test.setTimeout(150_000);
    const unit = await addUnit(server);
    await reportOnce(server, unit, { AI1: 99 });
    let isAway = true;
    await page.route("**/api/dashboard/alarm?*", (route) =>
      isAway ? route.fulfill({ status: 503 }) : route.continue(),
    );
    await openSignedIn(page, server);
    // It is tried again several times before that is said.
    const failure = page.getByText("Alerts could not be loaded");
    await expect(failure).toBeVisible({ timeout: 60_000 });
    let asked = 0;
    page.on("request", (request) => {
      asked += request.url().includes("/api/dashboard/alarm?") ? 1 : 0;
    });
    // It stays while it is tried again, three times every ten seconds.
    for (const until = Date.now() + 12_000; Date.now() < until; ) expect(await failure.isVisible()).toBe(true);
    expect(asked).toBeLessThanOrEqual(6);
    isAway = false;
    await expect(page.getByRole("region", { name: "Unconfirmed alerts" }).getByRole("article").first()).toBeVisible({
      timeout: 30_000,
    });
    await expect(page.getByRole("log", { name: "New alerts" })).toBeEmpty();
  });
});

/** Where tiles and rows were shown, by their address or text, in pixels from the top of the document: more than one place when they moved. */
const watchPlaces = (page: Page) =>
  page.addInitScript(() => {
    const places: Record<string, number[]> = {};
    Object.assign(globalThis, { places });
    const look = (): void => {
      for (const shown of document.querySelectorAll("[aria-label='Channels'] a, tbody tr")) {
        if (!shown.checkVisibility({ visibilityProperty: true })) continue;
        const name = shown.getAttribute("href") ?? shown.textContent ?? "";
        if (name === "") continue; // a row that is still loading
        const top = Math.round(shown.getBoundingClientRect().top + globalThis.scrollY);
        const known = places[name] ?? [];
        // Tiles below the window's edge are drawn later, each row then a little higher: less than a row of the table in all.
        if (!known.some((place) => Math.abs(place - top) <= 30)) places[name] = [...known, top];
      }
      requestAnimationFrame(look);
    };
    look();
  });

test.describe("on a server of its own, where no other test confirms all alerts", () => {
  test.use({ own: "banner" });

  test("no tile and no row moves under the pointer while the dashboard loads, whichever answer is last", async ({
    page,
    server,
  }) => {
    // Four full loads.
    test.setTimeout(240_000);
    const unit = await addUnit(server);
    await reportOnce(server, unit, { AI1: 99 });
    await openSignedIn(page, server);
    await watchPlaces(page);
    for (const last of ["alarm", "unit", "unit/part", "device"]) {
      const isLast = (url: URL): boolean => url.pathname === `/api/dashboard/${last}`;
      await page.route(isLast, async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 800));
        await route.continue();
      });
      await page.goto("/");
      await expect(page.getByRole("row").filter({ hasText: "Compressor A" })).toBeVisible();
      await expect(page.getByRole("region", { name: "Unconfirmed alerts" })).toBeVisible();
      await page.waitForLoadState("networkidle");
      const places = await page.evaluate(() => (globalThis as unknown as { places: Record<string, number[]> }).places);
      expect(Object.keys(places).length, last).toBeGreaterThan(10);
      expect(
        Object.entries(places).filter(([, tops]) => tops.length > 1),
        `${last} was last`,
      ).toEqual([]);
      await page.unroute(isLast);
    }
  });
});

test("the table below lists the devices with their sub-devices, and a row opens its device", async ({
  page,
  server,
}) => {
  await openSignedIn(page, server);
  const table = page.getByRole("table", { name: "Devices" });
  await expect(table.getByRole("columnheader").filter({ hasText: /\w/ })).toHaveText([
    "STATUS",
    "DEVICE ID",
    "DEVICE P/N",
    "DEVICE NAME",
    "INSTALLED",
    "RENEWED",
    "PARENT",
  ]);
  await table.getByRole("row").filter({ hasText: "Pump house 2" }).getByRole("button", { expanded: false }).click();
  const sub = table.getByRole("row").filter({ hasText: "Booster pump skid" });
  await expect(sub.getByRole("cell").last()).toHaveText("Pump house 2");
  await sub.getByText("Booster pump skid").click();
  await expect(page).toHaveURL(/\/devicesDetail\?deviceId=\d+$/);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("DEVICES /");
});

test("a phone on a slow line waits once: the screen's files and the user are asked for before the first script has come", async ({
  page,
  server,
}) => {
  await openSignedIn(page, server);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  const first = Promise.withResolvers<void>();
  await page.route(/\/assets\/base-[^/]+\.js$/, async (route) => {
    await first.promise;
    await route.continue();
  });
  const loaded = page.reload();
  const isAsked = (what: RegExp): boolean => asked.some((path) => what.test(path));
  for (const what of [/UserInfo$/, /\/shell-[^/]+\.js$/, /\/dashboard-screen-/, /\/tiles-[^/]+\.css$/])
    await expect.poll(() => isAsked(what), String(what)).toBe(true);
  first.resolve();
  await loaded;
  await expect(tilesOf(page).first()).toBeVisible();
  expect(asked.filter((path) => path.endsWith("UserInfo"))).toHaveLength(1);
});
