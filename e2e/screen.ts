import { expect, type Locator, type Page } from "@playwright/test";

/** The tile of a device's channel. */
export const tileOf = (page: Page, channel: string, device: string): Locator =>
  page.getByRole("region", { name: "Channels" }).getByTitle(`${channel}, ${device}`, { exact: true });

/** An alert's window in the banner. */
export const windowOf = (page: Page, device: string): Locator =>
  page.getByRole("region", { name: "Unconfirmed alerts" }).getByRole("article").filter({ hasText: device });

/** Rows of a table that contain this text. */
export const rowsOf = (page: Page, table: string, text: string): Locator =>
  page.getByRole("table", { name: table, exact: true }).getByRole("row").filter({ hasText: text });

/** An open dialog. */
export const dialogOf = (page: Page, title: string): Locator => page.getByRole("dialog", { name: title, exact: true });

/** A form that takes the place of its page's list. */
export const formOf = (page: Page, title: string): Locator => page.getByRole("form", { name: title, exact: true });

/** The alert log entry raised by a device's own limit; the device's notifications have entries too. */
export const alertOf = (page: Page, device: string): Locator =>
  rowsOf(page, "Alerts", device).filter({ hasText: "Threshold" });

/**
 * Scrolls to a row of the dashboard's device table. Only rows near the view are rendered, and more are loaded near the end: a screen further down
 * each time, and from the top again after the last one.
 */
export const deviceRow = async (page: Page, deviceSnId: string): Promise<Locator> => {
  const row = rowsOf(page, "Devices", deviceSnId);
  await expect(async () => {
    if (await row.isVisible()) return;
    await page.evaluate(() => {
      const { scrollTop, clientHeight, scrollHeight } = document.documentElement;
      window.scrollTo({ top: scrollTop + clientHeight >= scrollHeight - 1 ? 0 : scrollTop + clientHeight });
      // What has come into view is rendered with the next frame: looked for before, the row would be scrolled past.
      return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    });
    expect(await row.isVisible(), `${deviceSnId} is in view`).toBe(true);
  }).toPass({ intervals: [100], timeout: 60_000 });
  return row;
};

/** Opens a column's filter, by its head without the unit. */
export const openFilter = async (page: Page, head: string): Promise<Locator> => {
  // At the first visit what is to be paid may push the table down just then, and a click goes beside the button.
  await page.waitForLoadState("networkidle");
  await page.getByRole("button", { name: new RegExp(`^${head}( \\(.*\\))?, filter`) }).click();
  const filter = page.getByRole("dialog", { name: `Filter ${head}` });
  // The browser shows it before the page knows: only from then on does Back close it.
  await expect(filter.getByRole("button", { name: "Apply" })).toBeVisible();
  return filter;
};

/** The active filters. */
export const filterTags = (page: Page): Locator => page.getByRole("region", { name: "Filters" });

/** The text below the last row of a list. */
export const listEnd = (page: Page): Locator => page.getByText("No more data available");

/**
 * Opens another page of the console without loading the console again, as its own links do; resolves when the page's screen is there. For many pages
 * in a row: a full load costs the processor several times as much. The address may lead elsewhere, as for a user who may not open it.
 */
export const visit = async (page: Page, path: string): Promise<void> => {
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toBeVisible();
  await heading.evaluate((element, to) => {
    if (location.pathname !== new URL(to, location.href).pathname) element.setAttribute("data-left", "");
    history.pushState(null, "", to);
  }, path);
  await expect(page.locator("h1:not([data-left])")).toBeVisible();
};

/** Resolves when nothing was requested for a second and a half: longer than a live message and the refetch after it take. */
export const whenQuiet = async (page: Page, requests: readonly string[]): Promise<void> => {
  let seen = -1;
  while (seen !== requests.length) {
    seen = requests.length;
    await page.waitForTimeout(1500);
  }
};
