import { expect, test } from "./harness.ts";
import { injectSession } from "./people.ts";
import { alertOf, filterTags, listEnd, openFilter, rowsOf } from "./screen.ts";
import type { RunningServer } from "./server-process.ts";
import { addUnit, freshName, reportOnce, type Unit } from "./unit.ts";

const alarming = async (server: RunningServer): Promise<Unit> => {
  const unit = await addUnit(server, { name: freshName("Kiln") });
  await reportOnce(server, unit, { AI1: 99 });
  return unit;
};

test("a filter is a tag and part of the address: reload and a shared link keep it", async ({ page, server }) => {
  const unit = await alarming(server);
  await injectSession(page, server);
  await page.goto("/alarms");
  const byName = await openFilter(page, "DEVICE NAME");
  await byName.getByRole("textbox").fill(unit.name);
  await byName.getByRole("button", { name: "Apply" }).click();
  await expect(filterTags(page)).toContainText(`DEVICE NAME${unit.name}`);
  await expect(rowsOf(page, "Alerts", unit.name)).toHaveCount(3);

  const byStatus = await openFilter(page, "STATUS");
  await byStatus.getByRole("checkbox", { name: "Triggered" }).check();
  await byStatus.getByRole("button", { name: "Apply" }).click();
  await expect(page).toHaveURL(/deviceName=Kiln.+status=1|status=1.+deviceName=Kiln/);
  await expect(rowsOf(page, "Alerts", unit.name)).toHaveCount(1);
  await expect(alertOf(page, unit.name)).toContainText("Triggered");

  await page.reload();
  await expect(filterTags(page)).toContainText("STATUSTriggered");
  await expect(rowsOf(page, "Alerts", unit.name)).toHaveCount(1);

  await filterTags(page).getByRole("button", { name: "Remove filter STATUS Triggered" }).click();
  await expect(rowsOf(page, "Alerts", unit.name)).toHaveCount(3);
  await filterTags(page).getByRole("button", { name: "Clear all" }).click();
  await expect(filterTags(page)).toBeHidden();
  await expect(page).toHaveURL("/alarms");
});

test("each kind of filter narrows the log", async ({ page, server }) => {
  const unit = await alarming(server);
  const last4 = unit.deviceSnId.slice(-4);
  await injectSession(page, server);
  for (const address of [
    `alert=2&type=1&channel=AI1&deviceName=${unit.name}`,
    `deviceSnId=${unit.deviceSnId}&interval=60`,
    `deviceSnId=${unit.deviceSnId}&alert=2&triggered=2020-01-01~2099-12-31`,
  ]) {
    await page.goto(`/alarms?${address}`);
    await expect(alertOf(page, last4), address).toHaveCount(1);
    await expect(listEnd(page)).toBeVisible();
  }
  for (const address of ["type=2", "alert=1", "interval=7", "triggered=2020-01-01~2020-12-31", "confirmedBy=Nobody"]) {
    await page.goto(`/alarms?deviceSnId=${unit.deviceSnId}&${address}`);
    await expect(page.getByText("No alerts match these filters"), address).toBeVisible();
  }
});

test("a filter without matches says so and offers to clear it", async ({ page, server }) => {
  await injectSession(page, server);
  await page.goto("/alarms?deviceName=nowhere+to+be+found");
  const message = page.getByRole("status").filter({ hasText: "No alerts match these filters" });
  await message.getByRole("button", { name: "Clear all" }).click();
  await expect(page).toHaveURL("/alarms");
  await expect(rowsOf(page, "Alerts", "Cleared").first()).toBeVisible();
});

test("an invalid filter is refused with instructions", async ({ page, server }) => {
  await injectSession(page, server);
  await page.goto("/alarms");
  const byInterval = await openFilter(page, "REP INTERVAL");
  await byInterval.getByRole("textbox").fill("often");
  await byInterval.getByRole("button", { name: "Apply" }).click();
  await expect(byInterval).toContainText("Enter a whole number");
  await page.keyboard.press("Escape");
  await expect(byInterval).toBeHidden();

  const byDays = await openFilter(page, "TRIGGERED");
  await byDays.getByRole("textbox", { name: "End date" }).fill("2026-01-31");
  await byDays.getByRole("button", { name: "Apply" }).click();
  await expect(byDays).toContainText("Please select start date");
  await byDays.getByRole("textbox", { name: "Start date" }).fill("2026-01-01");
  await byDays.getByRole("textbox", { name: "End date" }).fill("");
  await byDays.getByRole("button", { name: "Apply" }).click();
  await expect(byDays).toContainText("Please select end date");
  await expect(page).toHaveURL("/alarms");
});

test("the log loads more while scrolling, down to 'No more data available'", async ({ page, server }) => {
  const unit = await addUnit(server);
  const since = Date.now();
  const occurrences = 45;
  const upAndDown = Array.from({ length: 2 * occurrences }, (_, n) => ({
    ts: since + n,
    values: { AI1: n % 2 === 0 ? 99 : 1 },
  }));
  await reportOnce(server, unit, upAndDown);
  await injectSession(page, server);
  await page.goto(`/alarms?deviceSnId=${unit.deviceSnId}&alert=2&status=3`);
  await expect(alertOf(page, unit.name).first()).toBeVisible();
  await expect(listEnd(page)).toBeHidden();
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await expect(listEnd(page)).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 60_000 });
  // Only the rows on screen are rendered; the table states its number of rows, including the head.
  await expect(page.getByRole("table", { name: "Alerts" })).toHaveAttribute("aria-rowcount", String(occurrences + 1));
});

test("a device ID is masked to its last four characters and links to the device", async ({ page, server }) => {
  const unit = await alarming(server);
  await injectSession(page, server);
  await page.goto("/alarms");
  const link = alertOf(page, unit.name).getByRole("link", { name: /^\*\*\*/ });
  await expect(link).toHaveText(`***${unit.deviceSnId.slice(-4)}`);
  await expect(page.getByRole("main")).not.toContainText(unit.deviceSnId);
  await link.click();
  await expect(page).toHaveURL(/\/devicesDetail\?deviceId=\d+&deviceChannelId=\d+&alarmLogId=\d+&at=/);
});

test("notifications are shown in the strip and, by 'See more', in a separate list", async ({ page, server }) => {
  const unit = await addUnit(server);
  await reportOnce(server, unit, { AI1: 1 });
  await injectSession(page, server);
  await page.goto("/alarms");
  const strip = page.getByRole("region", { name: "Notification" });
  await expect(strip).toContainText(/Online for the first time|Added to this plant/);
  await strip.getByRole("link", { name: "See more" }).click();
  await expect(page).toHaveURL("/alarms/notifications");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("ALERT / Notifications");
  for (const text of ["Added to this plant", "Online for the first time"])
    await expect(rowsOf(page, "Notifications", unit.name).filter({ hasText: text })).toHaveCount(1);
});

test("the status legend collapses and keeps its state", async ({ page, server }) => {
  await injectSession(page, server);
  await page.goto("/alarms");
  const legend = page.getByRole("button", { name: "Status legend" });
  const meaning = page.getByText("the condition has ended");
  await expect(meaning).toBeVisible();
  await legend.click();
  await expect(meaning).toBeHidden();
  await page.reload();
  await expect(legend).toHaveAttribute("aria-expanded", "false");
  await expect(meaning).toBeHidden();
});

test("an open filter stays at its column, on the screen and with its focus", { tag: "@phone" }, async ({
  page,
  server,
}) => {
  await injectSession(page, server);
  await page.goto("/alarms");
  const button = page.getByRole("button", { name: "DEVICE ID, filter" });
  const dialog = await openFilter(page, "DEVICE ID");
  await expect(dialog.getByRole("textbox")).toBeFocused();
  const placed = async () => {
    const [at, popover] = [await button.boundingBox(), await dialog.boundingBox()];
    if (!at || !popover) throw new Error("The filter is not on screen");
    return {
      gap: Math.round(popover.y - at.y - at.height),
      isAtColumn: popover.x <= at.x + at.width && popover.x + popover.width >= at.x,
      isOnScreen: popover.x >= 0 && popover.x + popover.width <= Number(page.viewportSize()?.width),
    };
  };
  const wanted = { gap: 4, isAtColumn: true, isOnScreen: true };
  await expect.poll(placed).toEqual(wanted);
  await button.evaluate((element) => {
    for (let above = element.parentElement; above; above = above.parentElement) above.scrollLeft += 40;
  });
  await expect.poll(placed, "the table is scrolled sideways").toEqual(wanted);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(button).toBeFocused();
  await button.press("Enter");
  await expect(dialog).toBeVisible();
  await page.getByRole("heading", { name: "ALERT" }).first().click();
  await expect(dialog).toBeHidden();
});
