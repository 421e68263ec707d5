import type { Locator, Page } from "@playwright/test";
import { alerts } from "@telltale/contract/domains/alerts";
import { tileCalls } from "@telltale/contract/domains/dashboard/tiles";
import { check } from "./accessibility.ts";
import { addressesOf } from "./answers.ts";
import { expect, test } from "./harness.ts";
import { clientOf, injectSession, openSignedIn } from "./people.ts";
import { dialogOf, rowsOf } from "./screen.ts";
import { addUnit, freshName, idsOf, reportOnce } from "./unit.ts";

test.use({ own: "palette" });

const field = (page: Page): Locator => page.getByRole("combobox", { name: "Find" });
const openPalette = async (page: Page): Promise<void> => {
  // Its keys are there with its button, which is not part of the first screen.
  await expect(page.getByRole("banner").getByRole("button", { name: "Find" })).toBeVisible();
  await expect(page.getByRole("dialog", { name: "Find" })).toHaveCount(0);
  await page.keyboard.press("Control+k");
  await expect(field(page)).toBeFocused();
};
const line = (page: Page, text: string | RegExp): Locator => page.getByRole("option").filter({ hasText: text });
const chosen = (page: Page): Locator => page.getByRole("option", { selected: true });
const section = (page: Page, name: string): Locator => page.getByRole("group", { name, exact: true });

test("Ctrl K opens the palette also when it is pressed before its code is there, which comes after the first screen", async ({
  page,
  server,
}) => {
  await page.route(addressesOf(tileCalls.tiles), () => undefined);
  await injectSession(page, server);
  await page.goto("/");
  await expect(page.getByRole("navigation", { name: "Main menu" })).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(field(page)).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(field(page)).toHaveCount(0);
  await page.keyboard.press("Control+k");
  await expect(field(page), "and as ever afterwards").toBeFocused();
});

test("Ctrl K finds a channel by words of its name and its device's, with its value, and Enter opens it", async ({
  page,
  server,
}) => {
  const unit = await addUnit(server, { name: freshName("Settling tank") });
  await reportOnce(server, unit, { AI1: 20 });
  await openSignedIn(page, server);
  await openPalette(page);
  await page.keyboard.type(`ai1 ${unit.name.toLowerCase()}`);
  await expect(chosen(page)).toContainText("AI1");
  await expect(chosen(page)).toContainText(unit.name);
  await expect(chosen(page)).toContainText("20.00 bar");
  await expect(section(page, "CHANNELS").getByRole("option")).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/devicesDetail\?deviceId=\d+&deviceChannelId=\d+/);
  await expect(field(page)).toHaveCount(0);
});

test("Ctrl Enter opens the channel's last day, and Tab leads to the next kind", async ({ page, server }) => {
  const unit = await addUnit(server, { name: freshName("Settling tank") });
  await reportOnce(server, unit, { AI1: 20 });
  await openSignedIn(page, server);
  await openPalette(page);
  await page.keyboard.type(unit.name);
  await expect(section(page, "DEVICES").getByRole("option")).toHaveCount(1);
  await expect(chosen(page)).toContainText("AI1");
  await page.keyboard.press("Tab");
  await expect(chosen(page)).toContainText(unit.deviceSnId);
  await page.keyboard.press("Shift+Tab");
  await expect(chosen(page)).toContainText("AI1");
  await page.keyboard.press("ArrowUp");
  await expect(chosen(page), "around from the first to the last").toContainText("Configure limits");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Control+Enter");
  await expect(page).toHaveURL(/span=24h/);
});

test("alerts, devices by their ID, pages and actions are found; Escape gives the focus back", async ({
  page,
  server,
}) => {
  const unit = await addUnit(server, { name: freshName("Settling tank") });
  await reportOnce(server, unit, { AI1: 99 });
  await openSignedIn(page, server);
  const search = page.getByRole("banner").getByRole("button", { name: "Find" });
  await search.click();
  await expect(section(page, "ALERTS"), "before anything is typed, what waits").toContainText("High, AI1");
  await field(page).fill(unit.deviceSnId);
  await expect(section(page, "DEVICES").getByRole("option")).toContainText(unit.name);
  await field(page).fill(`! ${unit.name}`);
  await expect(page.getByRole("listbox").getByRole("group")).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/alarms\/detail\?alarmLogId=\d+/);
  await openPalette(page);
  await page.keyboard.type("audit");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/audit/);
  await openPalette(page);
  await page.keyboard.type("> dark");
  await expect(chosen(page)).toContainText("Switch between light and dark");
  const shade = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const before = await shade();
  await page.keyboard.press("Enter");
  await expect.poll(shade).not.toBe(before);
  await search.click();
  await expect(field(page)).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(field(page)).toHaveCount(0);
  await expect(search).toBeFocused();
});

test("confirm all alerts asks, and confirms what was seen", async ({ page, server }) => {
  const unit = await addUnit(server);
  await reportOnce(server, unit, { AI1: 99 });
  const owner = await clientOf(server);
  await openSignedIn(page, server);
  await openPalette(page);
  await page.keyboard.type("confirm all");
  await expect(chosen(page)).toContainText("Confirm all alerts");
  await page.keyboard.press("Enter");
  const dialog = dialogOf(page, "CONFIRM ALL ALERTS");
  await dialog.getByRole("button", { name: /^Confirm/ }).click();
  // Others raise alerts on this server meanwhile.
  const left = async () => (await owner(alerts.unconfirmed)).filter(({ deviceName }) => deviceName === unit.name);
  await expect.poll(left).toEqual([]);
});

test("a viewer finds what its dashboard shows, and nothing else", async ({ page, server }) => {
  const unit = await addUnit(server, { name: freshName("Out of sight"), model: "MIX" });
  await openSignedIn(page, server, "viewer");
  await openPalette(page);
  await page.keyboard.type(unit.name);
  await expect(page.getByText(/Nothing has this name/)).toBeVisible();
  await expect(line(page, unit.name)).toHaveCount(0);
  await field(page).fill("configure");
  await expect(page.getByText(/Nothing has this name/)).toBeVisible();
});

test("an installer, who has no dashboard, is offered nothing of it", async ({ page, server }) => {
  await openSignedIn(page, server, "installer");
  await openPalette(page);
  await field(page).fill("> dash");
  await expect(page.getByText(/Nothing has this name/)).toBeVisible();
  await field(page).fill("> light");
  await expect(chosen(page)).toContainText("Switch between light and dark");
});

test.describe("in a browser elsewhere", () => {
  test.use({ timezoneId: "Asia/Tokyo" });
  test("Find and the question before all is confirmed have the times of the page below them", async ({
    page,
    server,
  }) => {
    const unit = await addUnit(server);
    await reportOnce(server, unit, { AI1: 99 });
    const { deviceId } = await idsOf(await clientOf(server), unit.deviceSnId);
    await openSignedIn(page, server);
    await page.goto(`/devicesDetail?deviceId=${deviceId}`);
    await page.getByRole("group", { name: "Time zone" }).getByRole("button", { name: "UTC" }).click();
    await expect(page.getByText("Times in UTC")).toBeVisible();
    const entry = rowsOf(page, "Alert history", "99.00 bar");
    await expect(entry).toHaveCount(1);
    const [raised = "no time"] = (await entry.textContent())?.match(/\d\d:\d\d/) ?? [];
    await openPalette(page);
    await field(page).fill(`! ${unit.name}`);
    await expect(line(page, unit.name)).toContainText(raised);
    await field(page).fill("> confirm all");
    await expect(chosen(page)).toContainText("Confirm all alerts");
    await page.keyboard.press("Enter");
    const listed = dialogOf(page, "CONFIRM ALL ALERTS").getByRole("listitem").filter({ hasText: unit.name });
    await expect(listed).toContainText(raised);
  });
});

test("the palette is accessible, on every width", async ({ page, server }) => {
  await openSignedIn(page, server);
  await page.getByRole("banner").getByRole("button", { name: "Find" }).click();
  await field(page).fill("pump");
  await expect(section(page, "CHANNELS")).toBeVisible();
  await check(page, "palette", '[role="dialog"]');
});
