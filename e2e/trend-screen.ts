import type { Page } from "@playwright/test";
import { chartOf } from "./chart-pixels.ts";
import { clientOf, injectSession } from "./people.ts";
import type { RunningServer } from "./server-process.ts";
import { addUnit, idsOf, reportOnce, type Unit } from "./unit.ts";

export const [minute, hour] = [60_000, 3_600_000];

/** Readings a minute apart, the last one now. */
export const everyMinute = (count: number, ago = 0) =>
  Array.from({ length: count }, (_, n) => ({
    ts: Date.now() - ago - (count - 1 - n) * minute,
    values: { AI1: 5 + (n % 7) / 2 },
  }));

/** A new unit that has reported these readings. */
export const unitWith = async (server: RunningServer, telemetry: Parameters<typeof reportOnce>[2]): Promise<Unit> => {
  const unit = await addUnit(server);
  await reportOnce(server, unit, telemetry);
  return unit;
};

/** Opens a channel's chart, with more parameters of its address. */
export const openTrend = async (
  page: Page,
  server: RunningServer,
  unit: Unit,
  more = "",
  code = "AI1",
): Promise<void> => {
  const { deviceId, channels } = await idsOf(await clientOf(server), unit.deviceSnId);
  await injectSession(page, server);
  await page.goto(`/devicesDetail?deviceId=${deviceId}&deviceChannelId=${channels[code]}${more}`);
};

export const windowButton = (page: Page, name: string) =>
  page.getByRole("group", { name: "Window" }).getByRole("button", { name, exact: true });

/** First and last moment that the chart's text alternative states. */
export const shownTimes = async (page: Page): Promise<[number, number]> => {
  const words = (await chartOf(page).getAttribute("aria-label")) ?? "";
  const [start = "", end = ""] = words.match(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g) ?? [];
  return [Date.parse(`${start}Z`), Date.parse(`${end}Z`)];
};

export const shownLength = async (page: Page): Promise<number> => {
  const [start, end] = await shownTimes(page);
  return end - start;
};
