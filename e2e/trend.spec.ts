import type { Page } from "@playwright/test";
import { chartOf, zoomText } from "./chart-pixels.ts";
import { expect, test } from "./harness.ts";
import { clientOf, injectSession } from "./people.ts";
import { rowsOf } from "./screen.ts";
import type { RunningServer } from "./server-process.ts";
import { addUnit, connectUnit, idsOf, publish, reportOnce, type Unit } from "./unit.ts";

test.use({ own: "trend" });
test.describe.configure({ timeout: 120_000 });

const [minute, hour] = [60_000, 3_600_000];

/** Readings a minute apart, the last one now. */
const everyMinute = (count: number, ago = 0) =>
  Array.from({ length: count }, (_, n) => ({
    ts: Date.now() - ago - (count - 1 - n) * minute,
    values: { AI1: 5 + (n % 7) / 2 },
  }));

const withReadings = async (server: RunningServer, telemetry: Parameters<typeof reportOnce>[2]): Promise<Unit> => {
  const unit = await addUnit(server);
  await reportOnce(server, unit, telemetry);
  return unit;
};

const open = async (page: Page, server: RunningServer, unit: Unit, more = ""): Promise<void> => {
  const { deviceId, channels } = await idsOf(await clientOf(server), unit.deviceSnId);
  await injectSession(page, server);
  await page.goto(`/devicesDetail?deviceId=${deviceId}&deviceChannelId=${channels.AI1}${more}`);
};

const windowButton = (page: Page, name: string) =>
  page.getByRole("group", { name: "Window" }).getByRole("button", { name, exact: true });

/** First and last moment that the chart's text alternative states. */
const shownTimes = async (page: Page): Promise<[number, number]> => {
  const words = (await chartOf(page).getAttribute("aria-label")) ?? "";
  const [start = "", end = ""] = words.match(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g) ?? [];
  return [Date.parse(`${start}Z`), Date.parse(`${end}Z`)];
};

const shownLength = async (page: Page): Promise<number> => {
  const [start, end] = await shownTimes(page);
  return end - start;
};

test("a window is applied at once, is part of the address, and is what this browser opens next", async ({
  page,
  server,
}) => {
  const unit = await withReadings(server, everyMinute(300));
  const other = await withReadings(server, everyMinute(300));
  await open(page, server, unit);
  await expect(zoomText(page), "a browser that has made no choice").toHaveText("0 ~ 15 %");
  await windowButton(page, "1 h").click();
  await expect(page).toHaveURL(/span=1h/);
  await expect(windowButton(page, "1 h")).toHaveAttribute("aria-pressed", "true");
  await expect(zoomText(page)).toHaveText("0 ~ 100 %");
  await expect.poll(() => shownLength(page)).toBeGreaterThan(0.95 * hour);
  expect(await shownLength(page)).toBeLessThan(1.1 * hour);
  await open(page, server, other);
  await expect(page).toHaveURL(/span=1h/);
  await expect.poll(() => shownLength(page)).toBeLessThan(1.1 * hour);
  await windowButton(page, "8 h").click();
  await expect.poll(() => shownLength(page)).toBeGreaterThan(4.9 * hour);
  await page.goBack();
  await expect(windowButton(page, "1 h")).toHaveAttribute("aria-pressed", "true");
  await windowButton(page, "1 h").click();
  await expect(zoomText(page), "pressed again it gives way to the default").toHaveText("0 ~ 15 %");
  await expect(page).not.toHaveURL(/span=/);
});

test("a settings period that is selected replaces the window until the window is pressed again", async ({
  page,
  server,
}) => {
  const unit = await withReadings(server, everyMinute(300));
  await open(page, server, unit, "&span=1h");
  await expect(windowButton(page, "1 h")).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("radio", { name: /NOW/ }).click();
  await expect(windowButton(page, "1 h")).toHaveAttribute("aria-pressed", "false");
  await expect(zoomText(page)).toHaveText("0 ~ 15 %");
  await windowButton(page, "1 h").click();
  await expect(windowButton(page, "1 h")).toHaveAttribute("aria-pressed", "true");
  await expect.poll(() => shownLength(page)).toBeLessThan(1.1 * hour);
});

test("Live follows the newest reading", async ({ page, server }) => {
  const unit = await withReadings(server, everyMinute(90, 2 * minute));
  await open(page, server, unit, "&span=live");
  await expect(windowButton(page, "Live")).toHaveAttribute("aria-pressed", "true");
  await expect(chartOf(page)).toHaveAttribute("aria-label", /^AI1, /);
  const [before] = await shownTimes(page);
  const device = await connectUnit(server, unit);
  await publish(device, { ts: Date.now(), values: { AI1: 6 } });
  await device.endAsync();
  await expect.poll(async () => (await shownTimes(page))[0]).toBeGreaterThan(before);
});

test("at 390 pixels every window is a target of 44 pixels", async ({ page, server }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const unit = await withReadings(server, everyMinute(90));
  await open(page, server, unit);
  for (const name of ["1 h", "8 h", "24 h", "7 d", "30 d", "Live"]) {
    const box = await windowButton(page, name).boundingBox();
    expect(box?.height, name).toBeGreaterThanOrEqual(44);
    expect(box?.width, name).toBeGreaterThanOrEqual(44);
  }
  await windowButton(page, "1 h").click();
  await expect.poll(() => shownLength(page)).toBeLessThan(1.1 * hour);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test.describe("in a browser elsewhere", () => {
  test.use({ timezoneId: "Asia/Tokyo" });
  test("a page names its zone once, and shows no event at two times", async ({ page, server }) => {
    const unit = await addUnit(server);
    await reportOnce(server, unit, { AI1: 99 });
    await open(page, server, unit);
    const names = page.getByText(/^Times in /);
    await expect(names).toHaveCount(1);
    const entry = rowsOf(page, "Alert history", "99.00 bar");
    const current = page.getByText(/^Last updated at /);
    const stampsIn = async () => {
      const text = `${await current.textContent()} ${await entry.textContent()}`;
      return new Set((text.match(/\d\d:\d\d:\d\d/g) ?? []).map((stamp) => stamp.slice(0, 2)));
    };
    const seen = new Set<string>();
    for (const [choice, zone] of [
      ["Browser", "Asia/Tokyo"],
      ["UTC", "UTC"],
    ] as const) {
      await page.getByRole("group", { name: "Time zone" }).getByRole("button", { name: choice }).click();
      await expect(names).toHaveText(`Times in ${zone}`);
      await expect.poll(async () => (await stampsIn()).size).toBe(1);
      for (const hours of await stampsIn()) seen.add(hours);
    }
    expect(seen.size, "Tokyo and UTC differ").toBe(2);
    await page.reload();
    await expect(names, "the choice is kept").toHaveText("Times in UTC");
  });
});
