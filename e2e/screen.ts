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

/** The alert log entry raised by a device's own limit; the device's notifications have entries too. */
export const alertOf = (page: Page, device: string): Locator =>
  rowsOf(page, "Alerts", device).filter({ hasText: "Threshold" });

/** Scrolls until a row of the dashboard's device table is loaded: newer devices are further down. */
export const deviceRow = async (page: Page, deviceSnId: string): Promise<Locator> => {
  const row = rowsOf(page, "Devices", deviceSnId);
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await expect(row).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 60_000 });
  return row;
};

/** Opens a column's filter. */
export const openFilter = async (page: Page, head: string): Promise<Locator> => {
  await page.getByRole("button", { name: new RegExp(`^${head}, filter`) }).click();
  return page.getByRole("dialog", { name: `Filter ${head}` });
};

/** The active filters. */
export const filterTags = (page: Page): Locator => page.getByRole("region", { name: "Filters" });

/** The text below the last row of a list. */
export const listEnd = (page: Page): Locator => page.getByText("No more data available");
