import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { check, errorsOf } from "./accessibility.ts";
import { chartOf, readChartPixels, zoomText } from "./chart-pixels.ts";
import { expect, test } from "./harness.ts";
import { clientOf, injectSession, openSignedIn } from "./people.ts";
import { alertOf, rowsOf, tileOf, windowOf } from "./screen.ts";
import {
  everyMinute,
  hour,
  minute,
  openTrend,
  shownLength,
  shownTimes,
  unitWith,
  windowButton,
} from "./trend-screen.ts";
import { addUnit, connectUnit, idsOf, publish, reportOnce } from "./unit.ts";

test.use({ own: "trend" });
test.describe.configure({ timeout: 120_000 });

test("a window is applied at once, is part of the address, and is what this browser opens next", async ({
  page,
  server,
}) => {
  const unit = await unitWith(server, everyMinute(300));
  const other = await unitWith(server, everyMinute(300));
  await openTrend(page, server, unit);
  await expect(zoomText(page), "a browser that has made no choice").toHaveText("0 ~ 15 %");
  await windowButton(page, "1 h").click();
  await expect(page).toHaveURL(/span=1h/);
  await expect(windowButton(page, "1 h")).toHaveAttribute("aria-pressed", "true");
  await expect(zoomText(page)).toHaveText("0 ~ 100 %");
  await expect.poll(() => shownLength(page)).toBeGreaterThan(0.95 * hour);
  expect(await shownLength(page)).toBeLessThan(1.1 * hour);
  await openTrend(page, server, other);
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
  const unit = await unitWith(server, everyMinute(300));
  await openTrend(page, server, unit, "&span=1h");
  await expect(windowButton(page, "1 h")).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("radio", { name: /NOW/ }).click();
  await expect(windowButton(page, "1 h")).toHaveAttribute("aria-pressed", "false");
  await expect(zoomText(page)).toHaveText("0 ~ 15 %");
  await windowButton(page, "1 h").click();
  await expect(windowButton(page, "1 h")).toHaveAttribute("aria-pressed", "true");
  await expect.poll(() => shownLength(page)).toBeLessThan(1.1 * hour);
});

test("the range field, the plot and the words state one window, however long a device was silent", async ({
  page,
  server,
}) => {
  const unit = await unitWith(server, everyMinute(300, 3 * hour));
  const field = async () => {
    const label = await page.getByRole("button", { name: /^Date range/ }).getAttribute("aria-label");
    return (label?.match(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g) ?? []).map((stamp) => Date.parse(`${stamp}Z`));
  };
  for (const span of ["8h", "1h", "live"]) {
    await openTrend(page, server, unit, `&span=${span}`);
    await expect(chartOf(page)).toHaveAttribute("aria-label", /^AI1, /);
    expect(await field(), span).toEqual(await shownTimes(page));
    const isOld = span !== "8h";
    await expect(page.getByText(/^No readings in the last (hour|\d[\d.]* (min|h))\. Shown are those/)).toHaveCount(
      isOld ? 1 : 0,
    );
    const [, end] = await shownTimes(page);
    expect(Date.now() - end > 2 * hour, span).toBe(isOld);
  }
});

test("Live follows the newest reading", async ({ page, server }) => {
  const unit = await unitWith(server, everyMinute(90, 2 * minute));
  await openTrend(page, server, unit, "&span=live");
  await expect(windowButton(page, "Live")).toHaveAttribute("aria-pressed", "true");
  await expect(chartOf(page)).toHaveAttribute("aria-label", /^AI1, /);
  const device = await connectUnit(server, unit);
  await publish(device, { ts: Date.now(), values: { AI1: 66 } });
  await device.endAsync();
  await expect(page.getByLabel("Statistics of what is in view")).toContainText("66.00");
});

test("at 390 pixels every window is a target of 44 pixels", async ({ page, server }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const unit = await unitWith(server, everyMinute(90));
  await openTrend(page, server, unit);
  for (const name of ["1 h", "8 h", "24 h", "7 d", "30 d", "Live"]) {
    await expect(windowButton(page, name)).toBeVisible();
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
    await openTrend(page, server, unit);
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

/** The marked moment, as the chart's text alternative states it. */
const opened = (page: Page) => expect(chartOf(page)).toHaveAttribute("aria-label", /Opened for \d{4}-\d\d-\d\d/);

test("an alert's row, window and page lead to its channel at its moment with one click", async ({ page, server }) => {
  const unit = await unitWith(server, everyMinute(200, 50 * minute));
  const raised = Date.now() - 45 * minute;
  await reportOnce(server, unit, { ts: raised, values: { AI1: 5, AI2: 95 } });
  await reportOnce(server, unit, { ts: raised + 5 * minute, values: { AI1: 5, AI2: 96 } });
  await openSignedIn(page, server);
  const atTheMoment = async () => {
    await expect(page).toHaveURL(/alarmLogId=\d+/);
    await expect(page.getByRole("heading", { level: 2, name: "AI2", exact: true })).toBeVisible();
    await opened(page);
    const [start, end] = await shownTimes(page);
    expect(end - start).toBeLessThanOrEqual(hour + 1000);
    for (const name of ["1 h", "8 h", "Live"])
      await expect(windowButton(page, name)).toHaveAttribute("aria-pressed", "false");
  };
  await windowOf(page, unit.name).getByRole("link").click();
  await atTheMoment();
  await page.goto("/alarms");
  await alertOf(page, unit.name)
    .getByRole("link", { name: /^\W*[\dA-F]{4}$/ })
    .click();
  await atTheMoment();
  await page.goto("/alarms");
  await alertOf(page, unit.name).getByRole("cell", { name: "AI2", exact: true }).click();
  await atTheMoment();
  await page.goto("/alarms");
  await alertOf(page, unit.name)
    .getByRole("link", { name: /Threshold/ })
    .click();
  await page.getByRole("link", { name: "Show on device" }).click();
  await atTheMoment();
  await page.getByRole("button", { name: "Show without the moment" }).click();
  await expect(page).not.toHaveURL(/alarmLogId/);
});

test("a tile that is in alarm opens its channel at the time of its value", async ({ page, server }) => {
  const unit = await unitWith(server, { AI1: 99 });
  await openSignedIn(page, server);
  await tileOf(page, "AI1", unit.name).click();
  await expect(page).toHaveURL(/&at=/);
  await opened(page);
});

test("an event of the device itself is a band across its charts", async ({ page, server }) => {
  const unit = await unitWith(server, everyMinute(40, 5 * minute));
  const client = await clientOf(server);
  const { deviceId } = await idsOf(client, unit.deviceSnId);
  const gateway = await connectUnit(server, unit);
  await gateway.publishAsync("v1/devices/me/attributes", JSON.stringify({ power: 5 }), { qos: 1 });
  await gateway.endAsync();
  await injectSession(page, server);
  await page.goto(`/alarms/notifications?deviceName=${encodeURIComponent(unit.name)}`);
  const row = rowsOf(page, "Notifications", unit.name).filter({ hasText: /battery/i });
  await row.getByRole("link").click();
  await expect(page).toHaveURL(new RegExp(`deviceId=${deviceId}.*alarmLogId=`));
  await expect(chartOf(page)).toHaveAttribute("aria-label", /battery[^.]*, \d\d:\d\d ~ NOW\./i);
});

test("an event long after the last reading opens with the last readings before it", async ({ page, server }) => {
  const unit = await unitWith(server, everyMinute(40, 90 * minute));
  const at = Date.now() - 20 * minute;
  await openTrend(page, server, unit, `&at=${new Date(at).toISOString()}`);
  await opened(page);
  await expect(chartOf(page)).toHaveAttribute("aria-label", /No data \d\d:\d\d to \d\d:\d\d\./);
  await expect(page.getByText("and the last readings")).toBeVisible();
  const [start, end] = await shownTimes(page);
  expect(start).toBeLessThan(at - 90 * minute);
  expect(end).toBeGreaterThanOrEqual(at + 29 * minute);
});

test("a gap is told and counted, limits off the plot are told, and the axis includes them when asked", async ({
  page,
  server,
}) => {
  const unit = await unitWith(server, [...everyMinute(40, 90 * minute), ...everyMinute(40)]);
  await openTrend(page, server, unit, "&span=8h");
  await expect(chartOf(page)).toHaveAttribute("aria-label", /No data \d\d:\d\d to \d\d:\d\d\./);
  const statistics = page.getByLabel("Statistics of what is in view");
  await expect(statistics).toContainText(/Readings\s*80/);
  await expect(statistics).toContainText(/No data\s*5[01] min/);
  await expect(statistics).toContainText(/Min\s*5\.00 bar/);
  await expect(statistics).toContainText(/Max\s*8\.00 bar/);
  const include = page.getByRole("checkbox", { name: "Include limits" });
  await expect(include, "80 bar is far from 5 to 8 bar").not.toBeChecked();
  const top = async () => (await readChartPixels(page)).line?.first;
  await expect.poll(top).toBeDefined();
  await include.check();
  await expect(include).toBeChecked();
});

test("the read-out covers no part of the line", async ({ page, server }) => {
  const unit = await unitWith(server, everyMinute(55));
  await openTrend(page, server, unit, "&span=1h");
  await expect(chartOf(page)).toBeVisible();
  const box = await chartOf(page).boundingBox();
  if (!box) throw new Error("no chart");
  for (const share of [0.2, 0.5, 0.8]) {
    await page.mouse.move(box.x + 46 + (box.width - 142) * share, box.y + box.height / 3);
    const tip = page.locator("[class*=tip]").filter({ hasText: "bar" });
    await expect(tip).toBeVisible();
    const under = await tip.evaluate((element) => {
      const canvas = document.querySelector<HTMLCanvasElement>("[role=tabpanel] canvas");
      const pen = canvas?.getContext("2d");
      if (!canvas || !pen) return -1;
      const [own, whole] = [element.getBoundingClientRect(), canvas.getBoundingClientRect()];
      const scale = canvas.width / whole.width;
      const probe = document.createElement("canvas").getContext("2d");
      if (!probe) return -1;
      probe.fillStyle = getComputedStyle(canvas).getPropertyValue("--chart-line").trim();
      probe.fillRect(0, 0, 1, 1);
      const colour = [...probe.getImageData(0, 0, 1, 1).data].slice(0, 3);
      const { data } = pen.getImageData(
        (own.left - whole.left) * scale,
        (own.top - whole.top) * scale,
        own.width * scale,
        own.height * scale,
      );
      let count = 0;
      for (let at = 0; at < data.length; at += 4)
        if ((data[at + 3] ?? 0) > 200 && colour.every((part, index) => Math.abs(part - (data[at + index] ?? 0)) < 24))
          count += 1;
      return count;
    });
    expect(under, `at ${share}`).toBe(0);
  }
});

test("what is shown can be downloaded", async ({ page, server }) => {
  const unit = await unitWith(server, everyMinute(10));
  await openTrend(page, server, unit, "&span=1h");
  await expect(chartOf(page)).toBeVisible();
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download what is shown" }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toMatch(/^AI1 .*\.csv$/);
  const text = await readFile(await file.path(), "utf8");
  expect(text.trim().split("\r\n")).toHaveLength(11);
  expect(text).toMatch(/^\ufeff"Time \(.+\)","AI1 \(bar\)"/);
});

test("a device's trend is accessible, and works by keys", async ({ page, server }) => {
  const complaints = errorsOf(page);
  const unit = await unitWith(server, everyMinute(100));
  await openTrend(page, server, unit, "&span=1h");
  await expect(chartOf(page)).toBeVisible();
  await check(page, "a trend with its bar");
  await windowButton(page, "1 h").focus();
  await page.keyboard.press("Tab");
  await expect(windowButton(page, "8 h")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/span=8h/);
  await expect(windowButton(page, "8 h"), "the keyboard keeps its place").toHaveAttribute("aria-pressed", "true");
  await expect(windowButton(page, "8 h")).toBeFocused();
  expect(complaints).toEqual([]);
});
