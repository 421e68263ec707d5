import type { Page } from "@playwright/test";
import type { TelemetryPayload } from "@telltale/contract/device-api";
import { chartOf, expectZoomTextMatches, readChartPixels, zoomText } from "./chart-pixels.ts";
import { expect, test } from "./harness.ts";
import { clientOf, injectSession } from "./people.ts";
import type { RunningServer } from "./server-process.ts";
import { addUnit, connectUnit, idsOf, publish, reportOnce, type Unit } from "./unit.ts";

test.use({ own: "chart" });
// Each uses a new device and reads pixels.
test.describe.configure({ timeout: 180_000 });

const [second, minute, hour] = [1000, 60_000, 3_600_000];

interface Sent {
  ts: number;
  values: Record<string, number>;
}

const every = (step: number, count: number, ago = 0, code = "AI1"): Sent[] => {
  const last = Date.now() - ago;
  return Array.from({ length: count }, (_, n) => ({
    ts: last - (count - 1 - n) * step,
    values: { [code]: 5 + (n % 7) / 2 },
  }));
};

const open = async (page: Page, server: RunningServer, unit: Unit, code = "AI1"): Promise<void> => {
  const { deviceId, channels } = await idsOf(await clientOf(server), unit.deviceSnId);
  await injectSession(page, server);
  await page.goto(`/devicesDetail?deviceId=${deviceId}&deviceChannelId=${channels[code]}`);
  await expect(chartOf(page)).toBeVisible();
};

/** Opens a new device that has sent these readings. */
const withReadings = async (
  page: Page,
  server: RunningServer,
  telemetry: TelemetryPayload,
  { model = "AIS", code = "AI1" } = {},
): Promise<Unit> => {
  const unit = await addUnit(server, { model });
  await reportOnce(server, unit, telemetry);
  await open(page, server, unit, code);
  return unit;
};

/** Asserts that the line extends from the left part of the plot to its right part. */
const expectFilled = async (page: Page): Promise<void> => {
  await expect(async () => {
    const { line } = await readChartPixels(page);
    expect(line?.first).toBeGreaterThanOrEqual(0);
    expect(line?.first).toBeLessThan(0.1);
    expect(line?.last).toBeGreaterThan(0.85);
    // A clipped line would reach the edge.
    expect(line?.last).toBeLessThan(0.99);
  }).toPass();
  await expectZoomTextMatches(page);
};

test("a single reading is a centred marker with its value, and has no slider", async ({ page, server }) => {
  await withReadings(page, server, { AI1: 42 });
  await expect(async () => {
    const { line } = await readChartPixels(page);
    expect(line?.first).toBeGreaterThan(0.45);
    expect(line?.last).toBeLessThan(0.55);
  }).toPass();
  await expect(zoomText(page)).toHaveCount(0);
  expect((await readChartPixels(page)).handles).toEqual([]);
});

for (const [name, telemetry] of [
  ["two readings", () => every(hour, 2)],
  ["four readings, 3 s apart, sent a minute ago", () => every(3 * second, 4, minute)],
  ["six readings, ten minutes apart", () => every(10 * minute, 6)],
  ["twenty readings of one value", () => every(minute, 20).map((each) => ({ ...each, values: { AI1: 7 } }))],
  ["a thousand readings, 3 s apart, sent hours ago", () => every(3 * second, 1000, 10 * hour)],
] as [string, () => Sent[]][]) {
  test(`${name} fill the plot`, async ({ page, server }) => {
    await withReadings(page, server, telemetry());
    await expectFilled(page);
  });
}

test("an early outlier does not push the other readings out of view", async ({ page, server }) => {
  const lone = { ts: Date.now() - 20 * hour, values: { AI1: 3 } };
  await withReadings(page, server, [lone, ...every(3 * second, 100)]);
  await expectFilled(page);
});

test("a digital channel and a vibration channel with few readings fill the plot, also after the channel is switched", async ({
  page,
  server,
}) => {
  const moments = [5, 4, 3, 2, 1].map((n) => Date.now() - n * minute);
  const digital = moments.map((ts, n) => ({ ts, values: { DI1: n % 2, DI2: 1 } }));
  await withReadings(page, server, digital, { model: "DIS", code: "DI1" });
  await expect(async () => {
    const { line } = await readChartPixels(page);
    expect(line?.last).toBeGreaterThan(0.85);
  }).toPass();
  await page.getByRole("navigation", { name: "Channels" }).getByRole("link", { name: "DI2", exact: true }).click();
  await expect(chartOf(page)).toHaveAttribute("aria-label", /^DI2, /);
  await expect(async () => expect((await readChartPixels(page)).line?.last).toBeGreaterThan(0.85)).toPass();
  await withReadings(page, server, every(10 * second, 3, 0, "VX"), { model: "VBS", code: "VX" });
  await expectFilled(page);
});

test("live readings extend the axis around the first one and fill the plot as they arrive", async ({
  page,
  server,
}) => {
  const unit = await withReadings(page, server, { ts: Date.now() - 3 * minute, values: { AI1: 5 } });
  const device = await connectUnit(server, unit);
  for (const n of [2, 1]) await publish(device, { ts: Date.now() - n * minute, values: { AI1: 5 + n } });
  await device.endAsync();
  await expectFilled(page);
});

test("a day of readings opens on its first 15 percent, and keys move the handles and update the text", async ({
  page,
  server,
}) => {
  await withReadings(page, server, every(minute, 1400));
  await expect(zoomText(page)).toHaveText("0 ~ 15 %");
  await expectZoomTextMatches(page);
  await page.getByRole("group", { name: /^Chart/ }).press("End");
  await expect(zoomText(page)).toHaveText("85 ~ 100 %");
  await expectZoomTextMatches(page);
  for (let n = 0; n < 12; n += 1) await page.getByRole("group", { name: /^Chart/ }).press("+");
  await expectZoomTextMatches(page);
});

test("in a narrow dark chart few readings fill the plot too", async ({ page, server }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: "dark" });
  await withReadings(page, server, every(10 * minute, 6));
  await expectFilled(page);
});
