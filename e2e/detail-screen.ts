import type { Page } from "@playwright/test";
import type { Client } from "@telltale/contract/call/client";
import { expect } from "./harness.ts";
import { clientOf, openSignedIn } from "./people.ts";
import type { RunningServer } from "./server-process.ts";
import { addUnit, idsOf, reportOnce, type Unit } from "./unit.ts";

/** The demonstration's device with all kinds of channels. */
export const pumpHouse = "7C9EBD4A3F12";

export const openDevice = async (
  page: Page,
  server: RunningServer,
  deviceSnId: string,
  code?: string,
): Promise<Client> => {
  const client = await clientOf(server);
  const { deviceId, channels } = await idsOf(client, deviceSnId);
  await openSignedIn(page, server);
  await page.goto(`/devicesDetail?deviceId=${deviceId}${code ? `&deviceChannelId=${channels[code]}` : ""}`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("DEVICES /");
  return client;
};

export const channelLink = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Channels" }).getByRole("link", { name, exact: true });
export const channelHead = (page: Page, name: string) => page.getByRole("heading", { level: 2, name, exact: true });
export const setting = (page: Page, name: string) =>
  page.getByRole("term").filter({ hasText: name }).locator("xpath=following-sibling::dd");
export const chart = (page: Page) => page.getByRole("tabpanel", { name: "GRAPHIC" }).getByRole("img");
export const readings = (page: Page) => page.getByRole("region", { name: "Readings" });
export const valuesInList = async (page: Page) =>
  (await readings(page).getByRole("row").locator("td:last-child").allTextContents()).map(Number.parseFloat);

export const withReadings = async (server: RunningServer, count: number): Promise<Unit> => {
  const unit = await addUnit(server);
  const since = Date.now();
  await reportOnce(
    server,
    unit,
    Array.from({ length: count }, (_, n) => ({ ts: since + n, values: { AI1: n } })),
  );
  return unit;
};
