import { expect, type Locator, type Page } from "@playwright/test";
import { clientOf } from "./people.ts";
import { dialogOf } from "./screen.ts";
import type { RunningServer } from "./server-process.ts";
import { idsOf, type Unit } from "./unit.ts";

/** A channel in the form that sets up a device's channels. */
export const channelRegion = (page: Page, channel: string): Locator =>
  page.getByRole("region", { name: channel, exact: true });
/** A text input of a setting. */
export const typed = (page: Page, channel: string, key: string): Locator =>
  channelRegion(page, channel).getByRole("textbox", { name: key, exact: true });
/** A select of a setting. */
export const chosen = (page: Page, channel: string, key: string): Locator =>
  channelRegion(page, channel).getByRole("combobox", { name: key, exact: true });
/** The toggle of an alarm. */
export const alarmSwitch = (page: Page, channel: string, key: string): Locator =>
  channelRegion(page, channel).getByRole("checkbox", { name: key, exact: true });

export const saveAll = (page: Page): Locator => page.getByRole("button", { name: "Save all" });
/** A status line about the changes or the settings. */
export const state = (page: Page, words: string): Locator => page.getByRole("status").filter({ hasText: words });

/** Asserts that the field is invalid, with this error below it. */
export const expectError = async (field: Locator, sentence: string): Promise<void> => {
  await expect(field).toHaveAttribute("aria-invalid", "true");
  const ids = (await field.getAttribute("aria-describedby"))?.split(" ") ?? [];
  const error = ids.find((id) => id.endsWith("-error"));
  await expect(field.page().locator(`[id="${error}"]`)).toHaveText(sentence);
};

/** Opens the form for a unit as an owner. */
export const openSetup = async (page: Page, server: RunningServer, { deviceSnId }: Pick<Unit, "deviceSnId">) => {
  const ids = await idsOf(await clientOf(server), deviceSnId);
  await page.goto(`/configureDevicesAdd?deviceId=${ids.deviceId}`);
  await expect(saveAll(page)).toBeVisible();
  return ids;
};

/** Saves the changes and confirms the review. */
export const save = async (page: Page): Promise<void> => {
  await saveAll(page).click();
  await dialogOf(page, "Save all").getByRole("button", { name: "Save", exact: true }).click();
};
