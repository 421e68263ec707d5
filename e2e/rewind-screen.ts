import { expect, type Locator, type Page } from "@playwright/test";
import { injectSession } from "./people.ts";
import type { RunningServer } from "./server-process.ts";
import { addUnit, reportOnce, type Unit } from "./unit.ts";

export const minute = 60_000;

/** A minute of the past, as the address has it and as screens in UTC show it. */
export const ago = (minutes: number, from = Date.now()) => {
  const iso = new Date(Math.floor(from / minute) * minute - minutes * minute).toISOString();
  return { address: `${iso.slice(0, 16)}Z`, clock: iso.slice(11, 16) };
};

/** A unit with a reading a minute for five hours: above its limit from two hours to one hour ago, and in its second channel since half an hour. */
export const withHistory = async (server: RunningServer): Promise<Unit> => {
  const unit = await addUnit(server);
  const past = Array.from({ length: 301 }, (_, n) => {
    const before = 300 - n;
    const AI1 = before <= 120 && before > 60 ? 99 : 20 + (n % 10) / 10;
    return { ts: Date.now() - before * minute, values: { AI1, AI2: before <= 30 ? 120 : 50 } };
  });
  await reportOnce(server, unit, past);
  return unit;
};

/** Opens the dashboard at a moment, as the owner. */
export const open = async (page: Page, server: RunningServer, search: string): Promise<void> => {
  await injectSession(page, server);
  await page.goto(`/?${search}`);
  await expect(slider(page)).toBeVisible();
};

/** The strip of time. */
export const slider = (page: Page): Locator => page.getByRole("slider", { name: "Time" });
/** A button by its whole name. */
export const button = (page: Page, name: string): Locator => page.getByRole("button", { name, exact: true });
/** What the bar says of the past. */
export const title = (page: Page): Locator => page.getByText(/^Rewound to/);
