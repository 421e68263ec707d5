import type { Page } from "@playwright/test";
import { Key } from "@telltale/contract/channel-types/keys";
import { channelSettings } from "@telltale/contract/domains/channel-settings";
import {
  channelHead,
  channelLink,
  chart,
  openDevice,
  pumpHouse,
  readings,
  setting,
  valuesInList,
  withReadings,
} from "./detail-screen.ts";
import { expect, test } from "./harness.ts";
import { clientOf } from "./people.ts";
import { addUnit, idsOf, reportOnce } from "./unit.ts";

// They switch channels and slots, and each reloads its readings.
test.describe.configure({ timeout: 180_000 });

test("settings periods are slots up to NOW; the chosen one's settings are shown", async ({ page, server }) => {
  await openDevice(page, server, pumpHouse, "AI1");
  const slots = page.getByRole("radiogroup", { name: "Settings periods" }).getByRole("radio");
  await expect(slots).toHaveCount(3);
  await expect(slots.last()).toContainText("NOW");
  await expect(slots.last()).toBeChecked();
  await expect(setting(page, "Report Interval").last()).toHaveText("5 s");
  await slots.first().click();
  await expect(slots.first()).toBeChecked();
  await expect(setting(page, "Report Interval").last()).toHaveText("60 s");
  await expect(setting(page, "Higher Alarm").first()).toHaveText("7.5 bar");
  await slots.first().press("ArrowRight");
  await expect(slots.nth(1)).toBeChecked();
  await expect(setting(page, "Higher Alarm").first()).toHaveText("8 bar");
});

/** The range in the search field: start and end to the minute. The next period starts where this one ends, which may be the second after. */
const rangeBox = (page: Page, start: string, end: string) => {
  const last = new Date(Date.parse(`${end.replace(" ", "T")}Z`) - 1000).toISOString().replace("T", " ");
  const ends = [end, last].map((time) => time.slice(0, 16)).join("|");
  return page.getByRole("button", { name: new RegExp(`^Date range ${start} ~ (${ends})`) });
};

test("a selected settings period sets the search range, which finds that period and no other", async ({
  page,
  server,
}) => {
  await openDevice(page, server, pumpHouse, "AI1");
  const slots = page.getByRole("radiogroup", { name: "Settings periods" }).getByRole("radio");
  await expect(slots).toHaveCount(3);
  const [start = "", end = ""] =
    ((await slots.nth(1).textContent()) ?? "").match(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g) ?? [];
  await slots.nth(1).click();
  await expect(rangeBox(page, start, end)).toBeVisible();
  await slots.last().click();
  await expect(rangeBox(page, start, end)).toBeHidden();
  await expect(slots.last()).toBeChecked();
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page, "NOW is always the last 24 hours").not.toHaveURL(/startTime=/);
  await slots.nth(1).click();
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page).toHaveURL(/startTime=.+endTime=/);
  await expect(slots).toHaveCount(1);
  await expect(slots).toContainText(start);
  await expect(rangeBox(page, start, end)).toBeVisible();
  await channelLink(page, "Wet well level").click();
  await expect(channelHead(page, "Wet well level")).toBeVisible();
  await expect(
    rangeBox(page, start, end),
    "of another channel it is still the range that was searched for",
  ).toBeVisible();
});

test("NOW after a settings change says since when there are no readings, and links to the earlier ones", async ({
  page,
  server,
}) => {
  const unit = await withReadings(server, 5);
  const client = await clientOf(server);
  const { deviceId, channels } = await idsOf(client, unit.deviceSnId);
  const payload = [{ channelId: channels.AI1 ?? 0, channelKeys: { [Key.higherAlarm]: 70 } }];
  await client(channelSettings.modify, { deviceId, payload } as never);
  await openDevice(page, server, unit.deviceSnId, "AI1");
  const slots = page.getByRole("radiogroup", { name: "Settings periods" }).getByRole("radio");
  await expect(slots).toHaveCount(2);
  const words = /^No readings since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d, when these settings came into force$/;
  await expect(page.getByText(words)).toBeVisible();
  await page.getByRole("tab", { name: "LIST" }).click();
  await expect(readings(page)).toContainText("No readings since");
  await page.getByRole("button", { name: "Show the period before" }).click();
  await expect(slots.first()).toBeChecked();
  await expect.poll(() => valuesInList(page)).toEqual([4, 3, 2, 1, 0]);
  await slots.last().click();
  await page.getByRole("tab", { name: "GRAPHIC" }).click();
  await expect(page.getByText(words)).toBeVisible();
  await reportOnce(server, unit, { AI1: 44 });
  await expect(chart(page), "the next reading is seen as it comes").toBeVisible();
});

test("a period's readings have the unit of then, on the chart as in the list", async ({ page, server }) => {
  const unit = await withReadings(server, 5);
  const client = await clientOf(server);
  const { deviceId, channels } = await idsOf(client, unit.deviceSnId);
  const payload = [{ channelId: channels.AI1 ?? 0, channelKeys: { [Key.unit]: "psi" } }];
  await client(channelSettings.modify, { deviceId, payload } as never);
  await openDevice(page, server, unit.deviceSnId, "AI1");
  await page.getByRole("button", { name: "Show the period before" }).click();
  const statistics = page.getByLabel("Statistics of what is in view");
  await expect(statistics).toContainText(/Max\s*4\.00 bar/);
  await expect(statistics).not.toContainText("psi");
  await page.getByRole("tab", { name: "LIST" }).click();
  await expect(readings(page)).toContainText("4.00 bar");
});

test("NOW shows readings however wrong the clocks of browser and device are, and the last ones of a silent device", async ({
  page,
  server,
}) => {
  const unit = await addUnit(server);
  const day = 86_400_000;
  // From a clock that is ahead, from a correct one, and from before a long gap.
  for (const [ago, values] of [
    [3 * day, { AI1: 3 }],
    [0, { AI2: 5 }],
    [-day / 2, { AI3: 7 }],
  ] as const)
    await reportOnce(server, unit, { ts: Date.now() - ago, values });
  await page.clock.install({ time: Date.now() + 2 * day });
  await openDevice(page, server, unit.deviceSnId, "AI1");
  await expect(chart(page)).toHaveAttribute("aria-label", /^AI1, /);
  await expect(
    page.getByText(/^No readings in the last 24 hours. Shown are those before the last one, of /),
  ).toBeVisible();
  for (const [name, value] of [
    ["AI2", 5],
    ["AI3", 7],
  ] as const) {
    await channelLink(page, name).click();
    await expect(chart(page)).toHaveAttribute("aria-label", new RegExp(`^${name}, `));
    await page.getByRole("tab", { name: "LIST" }).click();
    await expect.poll(() => valuesInList(page)).toEqual([value]);
    await page.getByRole("tab", { name: "GRAPHIC" }).click();
  }
});

test("a reading of a device with a slow clock appears in the list live", async ({ page, server }) => {
  const unit = await addUnit(server);
  await reportOnce(server, unit, { ts: Date.now() - 600_000, values: { AI1: 1 } });
  await openDevice(page, server, unit.deviceSnId, "AI1");
  await page.getByRole("tab", { name: "LIST" }).click();
  await expect.poll(() => valuesInList(page)).toEqual([1]);
  await reportOnce(server, unit, { ts: Date.now() - 300_000, values: { AI1: 2 } });
  await expect.poll(() => valuesInList(page)).toEqual([2, 1]);
});
