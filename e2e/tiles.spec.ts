import type { Locator } from "@playwright/test";
import { topics } from "@telltale/contract/device-api";
import { alertEntries } from "@telltale/contract/domains/alerting/entries";
import { alerts } from "@telltale/contract/domains/alerts";
import { dashboards } from "@telltale/contract/domains/dashboard/dashboards";
import { personal } from "@telltale/contract/domains/people/personal";
import { check } from "./accessibility.ts";
import { expect, test } from "./harness.ts";
import { clientOf, emailOf, openSignedIn } from "./people.ts";
import { dialogOf, tileOf, whenQuiet, windowOf } from "./screen.ts";
import { addUnit, connectUnit, freshName, idsOf, publish, reportOnce } from "./unit.ts";

/** Share of a tile's canvas that is drawn on. */
const drawnShare = (tile: Locator): Promise<number> =>
  tile
    .locator("canvas")
    .first()
    .evaluate((element) => {
      if (!(element instanceof HTMLCanvasElement) || element.width === 0) return 0;
      const pixels = element.getContext("2d")?.getImageData(0, 0, element.width, element.height).data ?? [];
      let drawn = 0;
      for (let at = 3; at < pixels.length; at += 4) if ((pixels[at] ?? 0) > 0) drawn += 1;
      return drawn / (element.width * element.height);
    });

test("tiles draw their last hour, which one call brings for all of them, and goes on with live readings", async ({
  page,
  server,
}) => {
  const unit = await addUnit(server);
  const device = await connectUnit(server, unit);
  const calls: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes(dashboards.sparklines.path)) calls.push(request.url());
  });
  await openSignedIn(page, server);
  const tile = tileOf(page, "AI1", unit.name);
  await expect(tile).toHaveAttribute("data-state", "no-data");
  await expect(tile.locator("canvas"), "without data nothing is drawn").toHaveCount(0);
  await publish(device, { AI1: 20 });
  await tile.scrollIntoViewIfNeeded();
  await expect.poll(() => drawnShare(tile), "the silent hour is hatched").toBeGreaterThan(0.02);
  const tiles = page.getByRole("region", { name: "Channels" }).getByRole("link");
  expect(await tiles.count()).toBeGreaterThan(10);
  expect(calls).toHaveLength(1);
  await device.endAsync();
});

test("a tile whose reading is late says how old it is, until the next one comes", async ({ page, server }) => {
  const unit = await addUnit(server);
  const device = await connectUnit(server, unit);
  const late = { ts: Date.now() - 40 * 60_000, values: { AI1: 20 } };
  await device.publishAsync(topics.telemetry, JSON.stringify(late), { qos: 1 });
  await openSignedIn(page, server);
  const tile = tileOf(page, "AI1", unit.name);
  await expect(tile).toContainText("40 min ago");
  await expect(tile).toHaveAttribute("data-stale", "true");
  await publish(device, { AI1: 21 });
  await expect(tile).toContainText("21.00");
  await expect(tile).not.toContainText("ago");
  await device.endAsync();
});

test.describe("on a server of its own", () => {
  test.use({ own: "tiles" });

  test("a confirmed alarm that still stands is outlined and says who confirmed it; confirming answers", async ({
    page,
    server,
  }) => {
    const unit = await addUnit(server);
    await reportOnce(server, unit, { AI1: 99 });
    const later = await addUnit(server);
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes(alerts.confirmed.path)) asked.push(request.url());
    });
    await openSignedIn(page, server);
    const tile = tileOf(page, "AI1", unit.name);
    await expect(tile).toContainText("ALERT");
    await whenQuiet(page, asked);
    const first = asked.length;
    await reportOnce(server, later, { AI1: 99 });
    await expect(tileOf(page, "AI1", later.name)).toContainText("ALERT");
    expect(asked, "an alert that is raised asks for no confirmations").toHaveLength(first);
    await windowOf(page, unit.name).getByRole("button", { name: "Confirm alert: AI1" }).click();
    await dialogOf(page, "Confirm alert").getByRole("button", { name: "Confirm", exact: true }).click();
    await expect(page.getByText("Alert confirmed")).toBeVisible();
    await expect(tile).toContainText(/Confirmed, M\. Okafor \d\d:\d\d/);
    await expect(tile).toHaveAttribute("data-state", "alarm");
    await whenQuiet(page, asked);
    const before = asked.length;
    await reportOnce(server, unit, { AI1: 20 });
    await expect(tile).not.toContainText("Confirmed");
    expect(asked, "nor does one that clears").toHaveLength(before);
  });

  test("a lost connection is told: tiles hatched, no red field, nothing to confirm; it ends by itself", async ({
    page,
    server,
  }) => {
    const unit = await addUnit(server);
    await reportOnce(server, unit, { AI1: 99 });
    await openSignedIn(page, server);
    const tile = tileOf(page, "AI1", unit.name);
    await expect(tile).toContainText("ALERT");
    await expect(tile.locator("canvas"), "everything is loaded").toHaveCount(1);
    await expect(page.getByRole("banner")).toContainText("Live");
    const confirmAll = page.getByRole("button", { name: "CONFIRM ALL ALERTS" }).first();
    await expect(confirmAll).toBeEnabled();
    const head = tile.locator("div").first();
    const background = () => head.evaluate((element) => getComputedStyle(element).backgroundColor);
    const red = await background();
    process.kill(server.pid(), "SIGSTOP");
    try {
      const line = page.getByRole("status").filter({ hasText: /Values from \d\d:\d\d:\d\d/ });
      await expect(line).toBeVisible({ timeout: 15_000 });
      await expect(confirmAll).toBeDisabled();
      await expect(windowOf(page, unit.name).getByRole("button", { name: "Confirm alert: AI1" })).toBeDisabled();
      await expect(page.getByRole("banner").getByRole("link", { name: /unconfirmed at \d\d:\d\d/ })).toBeVisible();
      expect(await background()).not.toBe(red);
      await check(page, "lost connection");
    } finally {
      process.kill(server.pid(), "SIGCONT");
    }
    await expect(page.getByText(/Values from/)).toHaveCount(0, { timeout: 15_000 });
    await expect(confirmAll).toBeEnabled();
    await reportOnce(server, unit, { AI1: 98 });
    await expect(tile).toContainText("98.00");
  });

  test("a lost connection is told by lists, devices and the watchlist too: no value looks live, nothing to confirm", async ({
    page,
    server,
    openElsewhere,
  }) => {
    const unit = await addUnit(server);
    const owner = await clientOf(server);
    const { deviceId, channels } = await idsOf(owner, unit.deviceSnId);
    await owner(personal.add, { deviceChannelIds: [Number(channels.AI2)] });
    await reportOnce(server, unit, { AI1: 99, AI2: 7 });
    const [device, watch] = [await openElsewhere(), await openElsewhere()];
    for (const each of [page, device, watch]) await openSignedIn(each, server);
    await page.goto("/alarms?view=standing");
    await device.goto(`/devicesDetail?deviceId=${deviceId}`);
    await watch.goto("/personal");
    const row = page.getByRole("row", { name: unit.name });
    const confirm = row.getByRole("button", { name: "CLICK TO CONFRIM" });
    await expect(confirm).toBeEnabled();
    const looksOf = (shown: Locator) =>
      shown.evaluate((element) => {
        const { color, fontWeight } = getComputedStyle(element);
        return `${color} ${fontWeight}`;
      });
    const values = [
      row.getByText("99.00 bar").first(),
      watch.getByRole("listitem").filter({ hasText: unit.name }).getByText("7.00"),
    ];
    const looks = await Promise.all(values.map(looksOf));
    const colourOf = (shown: Locator) => shown.evaluate((element) => getComputedStyle(element).backgroundColor);
    const live = device.getByRole("button", { name: "Live", exact: true });
    await live.click();
    const lit = await colourOf(live);
    process.kill(server.pid(), "SIGSTOP");
    try {
      await expect(confirm).toBeDisabled({ timeout: 15_000 });
      await expect.poll(() => colourOf(live), { timeout: 15_000 }).not.toBe(lit);
      for (const each of [page, device, watch])
        await expect(each.getByRole("status").filter({ hasText: /Values from \d\d:\d\d:\d\d/ })).toBeVisible();
      for (const [place, value] of values.entries()) expect(await looksOf(value)).not.toBe(looks[place]);
      await check(watch, "watchlist without a connection");
    } finally {
      process.kill(server.pid(), "SIGCONT");
    }
    await expect(confirm).toBeEnabled({ timeout: 15_000 });
    for (const each of [page, device, watch])
      await expect(each.getByText(/Values from/)).toHaveCount(0, { timeout: 15_000 });
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });

  test("the dashboard says who has an alert, as soon as it is assigned", async ({ page, server }) => {
    const unit = await addUnit(server);
    await reportOnce(server, unit, { AI1: 99 });
    await openSignedIn(page, server);
    const shown = windowOf(page, unit.name);
    await expect(shown).toBeVisible();
    await expect(shown).not.toContainText("has it");
    const owner = await clientOf(server);
    const alert = (await owner(alerts.unconfirmed)).find(({ deviceName }) => deviceName === unit.name);
    const varga = (await owner(alertEntries.assignees)).find(({ name }) => name.endsWith("Varga"));
    await owner(alertEntries.assign, { alarmLogId: alert?.alarmLogId ?? 0, accountId: varga?.accountId ?? 0 });
    await expect(shown).toContainText(/\w\. Varga has it/);
  });

  test("the wall shows alarms first, without a menu, and Escape leaves it", async ({ page, server }) => {
    const unit = await addUnit(server);
    await reportOnce(server, unit, { AI1: 99 });
    await openSignedIn(page, server);
    await expect(tileOf(page, "AI1", unit.name)).toContainText("ALERT");
    const wall = page.getByRole("dialog", { name: "Dashboard wall" });
    await expect(page.getByRole("link", { name: "Wall", exact: true })).toBeVisible();
    // Shortcuts are loaded after the first screen.
    await expect(async () => {
      await page.keyboard.press("f");
      await expect(wall).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await expect(wall.getByRole("region", { name: "Alarms" })).toContainText(unit.name);
    await expect(wall.getByRole("region", { name: "Channels" }).getByRole("link").first()).toBeVisible();
    const menu = page.getByRole("navigation", { name: "Main menu" }).getByRole("link", { name: "ALERT", exact: true });
    const isCovered = await menu.evaluate((link) => {
      const { left, top } = link.getBoundingClientRect();
      return document.elementFromPoint(left + 5, top + 5)?.closest("dialog") !== null;
    });
    expect(isCovered, "the menu is out of reach").toBe(true);
    await check(page, "wall", "[role=dialog], dialog");
    await page.keyboard.press("Escape");
    await expect(wall).toBeHidden();
    await expect(page.getByRole("heading", { level: 1, name: "DASHBOARD" })).toBeVisible();
    await page.goto("/?wall");
    await expect(wall.getByRole("region", { name: "Alarms" })).toContainText(unit.name);
    await expect(wall, "no tile has a ring around it").toBeFocused();
    await page.setViewportSize({ width: 1920, height: 1080 });
    const isWhole = (tile: Element) => tile.scrollHeight <= tile.clientHeight;
    for (const tile of await wall.getByRole("link").all())
      await expect.poll(() => tile.evaluate(isWhole), "its sparkline is not cut").toBe(true);
  });

  test("a new device's tiles are offered where the dashboard has many", async ({ page, server }) => {
    const owner = await clientOf(server);
    while ((await owner(dashboards.tiles)).length <= 20) await addUnit(server, { model: "MIX" });
    const name = freshName("Pump 3");
    await server.telltale("devices", "add", "--model", "MIX", "--owner", emailOf("owner"), "--name", name);
    await openSignedIn(page, server);
    const offers = page.getByRole("list", { name: "New devices that are not shown" });
    await expect(offers).toContainText(`4 channels of ${name} are not shown`);
    await expect(tileOf(page, "AI1", name)).toHaveCount(0);
    await offers.getByRole("button", { name: `Add ${name} to the dashboard` }).click();
    await expect(tileOf(page, "AI1", name)).toBeVisible();
    await expect(offers.getByText(name)).toHaveCount(0);
  });
});
