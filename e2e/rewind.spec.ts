import type { Locator, Page } from "@playwright/test";
import { alerts } from "@telltale/contract/domains/alerts";
import { check, errorsOf } from "./accessibility.ts";
import { expect, test } from "./harness.ts";
import { clientOf, injectSession } from "./people.ts";
import { ago, button, minute, open, slider, title, withHistory } from "./rewind-screen.ts";
import { tileOf } from "./screen.ts";
import type { Unit } from "./unit.ts";

test.use({ own: "rewind" });
test.describe.configure({ timeout: 240_000 });

const stood = (page: Page, unit: Unit): Locator =>
  page.getByRole("region", { name: "Alerts that stood" }).getByRole("article").filter({ hasText: unit.name });

test("a link opens the dashboard of its minute: values, alerts, and who had confirmed; nothing can be confirmed", async ({
  page,
  server,
}) => {
  const reported = Date.now();
  const unit = await withHistory(server);
  const owner = await clientOf(server);
  const unconfirmed = await owner(alerts.unconfirmed);
  const standing = unconfirmed.find(({ deviceName }) => deviceName === unit.name);
  await owner(alerts.confirm, { alarmLogId: standing?.alarmLogId ?? 0 });
  const confirmed = Date.now();

  const then = ago(90);
  await open(page, server, `at=${then.address}`);
  await expect(title(page)).toContainText(then.clock);
  await expect(tileOf(page, "AI1", unit.name)).toHaveAttribute("data-state", "alarm");
  await expect(tileOf(page, "AI1", unit.name)).toContainText("99.00");
  await expect(tileOf(page, "AI2", unit.name)).toHaveAttribute("data-state", "normal");
  await expect(stood(page, unit)).toContainText("99.00 bar");
  await expect(page.getByRole("link", { name: /unconfirmed now/ })).toBeVisible();

  // Those of the demonstration plant, whose data may have been prepared an hour ago, lie between.
  const raised = new RegExp([30, 29, 28].map((n) => `, ${ago(n, reported).clock}`).join("|"));
  await expect(async () => {
    await button(page, "Next alert").click();
    await expect(slider(page)).toHaveAttribute("aria-valuetext", raised, { timeout: 2_000 });
  }).toPass();
  await expect(tileOf(page, "AI1", unit.name)).toHaveAttribute("data-state", "normal");
  // The minute after that of the confirmation.
  await expect
    .poll(() => Math.floor(Date.now() / minute), { timeout: minute + 5_000 })
    .toBeGreaterThan(Math.floor(confirmed / minute));
  await open(page, server, `at=${ago(0).address}`);
  await expect(page.getByRole("region", { name: "Alerts that stood" })).toContainText(/Confirmed, .+ \d\d:\d\d/);
  await expect(page.getByRole("button", { name: /confirm/i })).toHaveCount(0);

  await page.getByRole("link", { name: "Live", exact: true }).first().click();
  await expect(page).toHaveURL(/\/$/);
  await expect(slider(page)).toHaveCount(0);
});

test("a tile of the past opens its channel at that moment, and Back leads to the past again", async ({
  page,
  server,
}) => {
  const unit = await withHistory(server);
  const then = ago(150);
  await open(page, server, `at=${then.address}`);
  await expect(tileOf(page, "AI1", unit.name)).toHaveAttribute("data-state", "normal");
  await slider(page).press("ArrowRight");
  await tileOf(page, "AI1", unit.name).click();
  const moved = ago(149).address.slice(0, 16);
  await expect(page).toHaveURL(new RegExp(`/devicesDetail.*at=${encodeURIComponent(moved)}`));
  await expect(page.getByText(`Value ${moved.slice(11)}:00`)).toBeVisible();
  await page.goBack();
  await expect(title(page)).toBeVisible();
});

test("the strip is dragged and played without another call, and the address follows", async ({ page, server }) => {
  const unit = await withHistory(server);
  const calls: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/dashboard/")) calls.push(new URL(request.url()).pathname);
  });
  await injectSession(page, server);
  await page.goto("/");
  await page.getByRole("link", { name: "Rewind", exact: true }).click();
  await expect(page, "the minute in which it was opened").toHaveURL(/at=\d{4}-\d\d-\d\dT\d\d%3A\d\dZ/);
  await expect(tileOf(page, "AI1", unit.name)).toHaveAttribute("data-state", "normal");
  const loaded = calls.length;

  const box = await slider(page).boundingBox();
  if (!box) throw new Error("There is no strip");
  const place = (minutes: number) => box.x + box.width * (1 - minutes / 1_440);
  await page.mouse.move(place(0) - 1, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(place(200), box.y + 40, { steps: 5 });
  await page.mouse.move(place(90), box.y + 40, { steps: 5 });
  await expect(tileOf(page, "AI1", unit.name)).toHaveAttribute("data-state", "alarm");
  await page.mouse.up();
  const addresses = [88, 89, 90, 91, 92].map((minutes) => encodeURIComponent(ago(minutes).address));
  await expect(page).toHaveURL(new RegExp(addresses.join("|")));

  const before = Number(await slider(page).getAttribute("aria-valuenow"));
  await page.getByRole("group", { name: "Speed" }).getByRole("button", { name: "600×" }).click();
  await button(page, "Play").click();
  await expect.poll(async () => Number(await slider(page).getAttribute("aria-valuenow"))).toBeGreaterThan(before + 40);
  await expect(tileOf(page, "AI1", unit.name)).toHaveAttribute("data-state", "normal");
  await button(page, "Pause").click();
  const shown = (await title(page).locator("b").textContent()) ?? "";
  await expect(page).toHaveURL(new RegExp(encodeURIComponent(shown)));
  expect(calls.slice(loaded).filter((path) => path !== "/api/dashboard/alarm")).toEqual([]);
});

test("the keyboard alone moves, plays and leaves", async ({ page, server }) => {
  const unit = await withHistory(server);
  await open(page, server, `at=${ago(122).address}`);
  await expect(tileOf(page, "AI1", unit.name)).toHaveAttribute("data-state", "normal");
  for (let tabs = 0; tabs < 40; tabs += 1) {
    if (await slider(page).evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press("Tab");
  }
  await expect(slider(page)).toBeFocused();
  const value = async () => Number(await slider(page).getAttribute("aria-valuenow"));
  const start = await value();
  await page.keyboard.press("ArrowRight");
  expect(await value()).toBe(start + 1);
  await page.keyboard.press("Shift+ArrowRight");
  expect(await value()).toBe(start + 11);
  await expect(slider(page)).toHaveAttribute("aria-valuetext", /\w{3} \d+ \w{3} \d{4}, \d\d:\d\d\. \d+ alerts? stood/);
  await expect(tileOf(page, "AI1", unit.name)).toHaveAttribute("data-state", "alarm");
  await page.keyboard.press("PageDown");
  expect(await value()).toBe(start - 49);
  await page.keyboard.press("Home");
  expect(await value()).toBe(0);
  await page.keyboard.press("End");
  expect(await value()).toBe(Number(await slider(page).getAttribute("aria-valuemax")));
  await page.keyboard.press("Home");
  await page.keyboard.press("Space");
  await expect(button(page, "Pause")).toBeVisible();
  await expect.poll(value).toBeGreaterThan(0);
  await page.keyboard.press("Space");
  await expect(button(page, "Play")).toBeVisible();
});

test("a key pressed while it plays shows that moment, and at the last one it begins anew", async ({ page, server }) => {
  await withHistory(server);
  await open(page, server, `at=${ago(122).address}`);
  const value = async () => Number(await slider(page).getAttribute("aria-valuenow"));
  await button(page, "Play").click();
  await slider(page).press("Home");
  await expect(button(page, "Play")).toBeVisible();
  await page.waitForTimeout(300);
  expect(await value()).toBe(0);

  const last = Number(await slider(page).getAttribute("aria-valuemax"));
  await slider(page).press("End");
  await slider(page).press("PageDown");
  await page.getByRole("group", { name: "Speed" }).getByRole("button", { name: "600×" }).click();
  await button(page, "Play").click();
  await expect(button(page, "Play"), "it has come to its end").toBeVisible({ timeout: 30_000 });
  expect(await value()).toBe(last);
  await button(page, "Play").click();
  await expect.poll(value).toBeLessThan(last / 2);
});

test("Live leads to now, also from a past that was opened over another one", async ({ page, server }) => {
  const unit = await withHistory(server);
  await open(page, server, `at=${ago(90).address}`);
  await expect(tileOf(page, "AI1", unit.name)).toHaveAttribute("data-state", "alarm");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("rewind the dashboard");
  await page.getByRole("option", { name: /Rewind the dashboard/ }).click();
  await expect(tileOf(page, "AI1", unit.name)).toHaveAttribute("data-state", "normal");
  await page.getByRole("link", { name: "Live", exact: true }).first().click();
  await expect(page).toHaveURL(/\/$/);
  await expect(slider(page)).toHaveCount(0);
});

test("Find confirms nothing while the past is shown, and offers it again on the live dashboard", async ({
  page,
  server,
}) => {
  const unit = await withHistory(server);
  await open(page, server, `at=${ago(90).address}`);
  await expect(tileOf(page, "AI1", unit.name)).toHaveAttribute("data-state", "alarm");
  const find = async (words: string) => {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Find" }).fill(words);
  };
  await find("> light");
  await expect(page.getByRole("option", { name: /Switch between light and dark/ })).toBeVisible();
  await page.getByRole("combobox", { name: "Find" }).fill("> confirm all");
  await expect(page.getByText(/Nothing has this name/)).toBeVisible();
  await expect(page.getByRole("option")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Live", exact: true }).first().click();
  await expect(slider(page)).toHaveCount(0);
  await find("> confirm all");
  await expect(page.getByRole("option", { name: /Confirm all alerts/ })).toBeVisible();
});

test("a minute before the first reading, a dashboard that is gone and a time to come are said, and the rest is shown", async ({
  page,
  server,
}) => {
  const unit = await withHistory(server);
  await open(page, server, "at=2001-01-01T00:00Z");
  await expect(page.getByRole("status")).toContainText("There are no readings of this time: they begin on ");
  await expect(tileOf(page, "AI1", unit.name)).toHaveAttribute("data-state", "no-data");
  await open(page, server, `at=${ago(90).address}&dashboardId=999999999`);
  await expect(page.getByRole("status")).toContainText("The dashboard of this link is gone, or not among yours");
  await expect(tileOf(page, "AI1", unit.name)).toHaveAttribute("data-state", "alarm");
  await open(page, server, `at=${ago(-5_000).address}`);
  await expect(page.getByRole("status")).toContainText("The time of this link is still to come");
  await open(page, server, "at=teatime");
  await expect(page.getByRole("status")).toContainText("The link names no time");
  await expect(tileOf(page, "AI1", unit.name)).toHaveAttribute("data-state", "normal");
});

test("a week and thirty days are strips of coarser steps around the same moment", async ({ page, server }) => {
  const unit = await withHistory(server);
  await open(page, server, `at=${ago(90).address}`);
  for (const [name, range] of [
    ["7 d", "7d"],
    ["30 d", "30d"],
    ["24 h", "24h"],
  ] as const) {
    await page.getByRole("group", { name: "Length of the strip" }).getByRole("button", { name }).click();
    await expect(page).toHaveURL(new RegExp(`range=${range}`));
    await expect(page.getByText(new RegExp(`alerts? in ${name}`))).toBeVisible();
    await expect(tileOf(page, "AI1", unit.name)).toHaveAttribute("data-state", "alarm");
  }
});

test("on a phone the controls are below the strip, 44 pixels high", async ({ page, server }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await withHistory(server);
  await open(page, server, `at=${ago(90).address}`);
  const strip = await slider(page).boundingBox();
  for (const name of ["Previous alert", "Play", "Next alert", "60×", "600×", "24 h", "7 d", "30 d"]) {
    const box = await button(page, name).boundingBox();
    expect(box?.height, name).toBeGreaterThanOrEqual(44);
    expect(box?.y, name).toBeGreaterThanOrEqual((strip?.y ?? 0) + (strip?.height ?? 0));
  }
  await expect(page.getByRole("link", { name: "Live", exact: true }).and(page.locator(":visible"))).toHaveCount(1);
});

test("a rewound dashboard is accessible, fits the screen and logs no errors", async ({ page, server }) => {
  const complaints = errorsOf(page);
  const unit = await withHistory(server);
  await open(page, server, `at=${ago(90).address}`);
  await expect(tileOf(page, "AI1", unit.name)).toHaveAttribute("data-state", "alarm");
  await check(page, "rewound dashboard");
  expect(complaints).toEqual([]);
});
