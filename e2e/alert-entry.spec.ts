import type { Client } from "@telltale/contract/call/client";
import { alertEntries } from "@telltale/contract/domains/alerting/entries";
import { alerts } from "@telltale/contract/domains/alerts";
import { zoneOf } from "@telltale/contract/text/wall-clock";
import { check } from "./accessibility.ts";
import { addRule } from "./alert-rule.ts";
import { expect, test } from "./harness.ts";
import { injectSession } from "./people.ts";
import { dialogOf } from "./screen.ts";
import { reportOnce, type Unit } from "./unit.ts";

test.use({ own: "entries" });

/** The id of the unit's alert by the rule. */
const alertOf = async (owner: Client, unit: Unit): Promise<number> => {
  const { data } = await owner(alerts.log, { deviceName: unit.name });
  return data.find(({ alarmName }) => alarmName === "Well high")?.alarmLogId ?? 0;
};

test.describe("in a browser elsewhere", () => {
  test.use({ timezoneId: "Asia/Tokyo" });
  test("an alert's page has one clock, the device's at first, which can be switched", async ({ page, server }) => {
    const { owner, unit } = await addRule(server);
    await reportOnce(server, unit, { AI1: 75 });
    const alarmLogId = await alertOf(owner, unit);
    await owner(alertEntries.note, { alarmLogId, note: "Inlet screen 2 is blocked" });
    const { createdTime, timeZoneId, timeline } = await owner(alertEntries.info, { alarmLogId });
    await injectSession(page, server);
    await page.goto(`/alarms/detail?alarmLogId=${alarmLogId}`);
    const main = page.getByRole("main");
    const events = page.getByRole("list", { name: "What happened" });
    const names = main.getByText(/^Times in /);
    const zones = page.getByRole("group", { name: "Time zone" });
    for (const [choice, name] of [
      ["Device", timeZoneId],
      ["Browser", "Asia/Tokyo"],
      ["UTC", "UTC"],
    ] as const) {
      if (choice !== "Device") await zones.getByRole("button", { name: choice }).click();
      await expect(names).toHaveText(`Times in ${name}`);
      const zone = zoneOf(name);
      const stamp = zone.stamp(createdTime);
      const [day = "", clock = ""] = stamp.split(" ");
      await expect(main.getByRole("region", { name: "State of Well high" }), choice).toContainText(clock);
      await expect(main.getByRole("heading", { name: /^What happened/ }), choice).toContainText(day);
      await expect(events.getByRole("listitem").first(), choice).toContainText(clock);
      for (const [place, { time }] of timeline.entries())
        await expect(events.locator("time").nth(place), choice).toHaveAttribute("title", zone.stamp(time));
      await expect(main.getByRole("heading", { name: /^Trend/ }), choice).toContainText(clock);
      const trend = new RegExp(`^AI1.* Opened for ${stamp}`);
      await expect(main.getByRole("img", { name: /^AI1/ }), choice).toHaveAttribute("aria-label", trend);
      await page.getByRole("button", { name: "Shelve", exact: true }).click();
      const dialog = dialogOf(page, "Shelve alert");
      await expect(dialog.locator("time"), choice).toHaveText(clock);
      const [, ends = ""] = (await dialog.textContent())?.match(/Ends (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)/) ?? [];
      const halfAnHour = Number(zone.moment(ends)) - Date.now();
      expect(halfAnHour, choice).toBeGreaterThan(25 * 60_000);
      expect(halfAnHour, choice).toBeLessThan(31 * 60_000);
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await expect(dialog).toBeHidden();
    }
    await page.reload();
    await expect(names, "the choice is kept").toHaveText("Times in UTC");
    await check(page, "an alert's page in another zone");
  });
});

test("the zone of an alert's page can be switched on a phone @phone", async ({ page, server }) => {
  const { owner, unit } = await addRule(server);
  await reportOnce(server, unit, { AI1: 75 });
  const alarmLogId = await alertOf(owner, unit);
  await injectSession(page, server);
  await page.goto(`/alarms/detail?alarmLogId=${alarmLogId}`);
  await page.getByRole("group", { name: "Time zone" }).getByRole("button", { name: "UTC" }).click();
  await expect(page.getByText("Times in UTC")).toBeVisible();
  const [width, room] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
  expect(width, "nothing beside the screen").toBeLessThanOrEqual(room ?? 0);
  await check(page, "an alert's page");
});
