import type { Locator, Page } from "@playwright/test";
import { check } from "./accessibility.ts";
import { expect, test } from "./harness.ts";
import { clientOf, openSignedIn } from "./people.ts";
import { rowsOf } from "./screen.ts";
import type { RunningServer } from "./server-process.ts";
import { addUnit, idsOf, reportOnce, type Unit } from "./unit.ts";

test.describe.configure({ timeout: 120_000 });

const lostLine = (page: Page): Locator => page.getByRole("status").filter({ hasText: /Values from \d\d:\d\d:\d\d/ });

const looksOf = (shown: Locator): Promise<string> =>
  shown.evaluate((element) => {
    const { color, fontWeight } = getComputedStyle(element);
    return `${color} ${fontWeight}`;
  });

/** Runs with a server that does not answer. */
const withoutAnswer = async (server: RunningServer, during: () => Promise<void>): Promise<void> => {
  process.kill(server.pid(), "SIGSTOP");
  try {
    await during();
  } finally {
    process.kill(server.pid(), "SIGCONT");
  }
};

const aUnit = async (server: RunningServer): Promise<Unit> => {
  const unit = await addUnit(server);
  await reportOnce(server, unit, { AI1: 50 });
  return unit;
};

test("Compare, the devices and the alert lists say that nothing on them is live, and nothing looks so", async ({
  page,
  server,
  openElsewhere,
}) => {
  const unit = await aUnit(server);
  const { channels } = await idsOf(await clientOf(server), unit.deviceSnId);
  const [log, suppressed, notifications, devices] = [
    await openElsewhere(),
    await openElsewhere(),
    await openElsewhere(),
    await openElsewhere(),
  ];
  const addresses: readonly (readonly [Page, string])[] = [
    [page, `/compare?channel=${channels.AI1}&span=24h`],
    [log, "/alarms"],
    [suppressed, "/alarms/silent"],
    [notifications, "/alarms/notifications"],
    [devices, `/devices?deviceName=${encodeURIComponent(unit.name)}`],
  ];
  for (const [each, address] of addresses) {
    await openSignedIn(each, server);
    await each.goto(address);
    await expect(each.getByRole("banner")).toContainText("Live");
  }
  for (const each of [log, suppressed])
    await expect(each.getByRole("navigation", { name: "ALERT", exact: true })).toBeVisible();
  const last = rowsOf(page, "Statistics", unit.name).locator("b").first();
  const status = rowsOf(devices, "Devices", unit.name).getByText("Normal", { exact: true });
  await expect(last).toHaveText("50.00 bar");
  await expect(status).toBeVisible();
  const before = [await looksOf(last), await looksOf(status)];
  await withoutAnswer(server, async () => {
    for (const [each] of addresses) await expect(lostLine(each)).toBeVisible({ timeout: 15_000 });
    expect(await looksOf(last)).not.toBe(before[0]);
    expect(await looksOf(status)).not.toBe(before[1]);
    await check(devices, "devices without a connection");
    await page.getByRole("group", { name: /^Chart/ }).press("Home");
    expect(await looksOf(last), "at the cursor it is of the past").toBe(before[0]);
  });
  for (const [each] of addresses) await expect(lostLine(each)).toHaveCount(0, { timeout: 15_000 });
  await expect.poll(() => looksOf(status)).toBe(before[1]);
});

test("Find shows no value as if it were live, and does not offer the past, which would have to be asked for", async ({
  page,
  server,
}) => {
  const unit = await aUnit(server);
  await openSignedIn(page, server);
  await expect(page.getByRole("banner").getByRole("button", { name: "Find" })).toBeVisible();
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Find" });
  await field.fill(`ai1 ${unit.name}`);
  const value = page.getByRole("option").filter({ hasText: unit.name }).locator("b");
  await expect(value).toHaveText("50.00");
  const before = await looksOf(value);
  await withoutAnswer(server, async () => {
    await expect.poll(() => looksOf(value), { timeout: 15_000 }).not.toBe(before);
    await field.fill("> dashboard");
    await expect(page.getByRole("option", { name: /Show the dashboard on the whole screen/ })).toBeVisible();
    await expect(page.getByRole("option", { name: /Rewind the dashboard/ })).toHaveCount(0);
    await field.fill("> data");
    await expect(page.getByText(/Nothing has this name/)).toBeVisible();
  });
  await expect(page.getByRole("option", { name: /Download data/ })).toBeVisible({ timeout: 15_000 });
  await field.fill("> dashboard");
  await expect(page.getByRole("option", { name: /Rewind the dashboard/ })).toBeVisible();
});
