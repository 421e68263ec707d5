import { expect, type Locator, type Page } from "@playwright/test";
import { clientOf } from "./people.ts";
import { dialogOf } from "./screen.ts";
import type { RunningServer } from "./server-process.ts";
import { idsOf, type Unit } from "./unit.ts";

/** A channel in the form that sets up a device's channels. */
export const channelRegion = (page: Page, channel: string): Locator =>
  page.getByRole("region", { name: channel, exact: true });
/** A setting that is typed. */
export const typed = (page: Page, channel: string, key: string): Locator =>
  channelRegion(page, channel).getByRole("textbox", { name: key, exact: true });
/** A setting that is chosen from a list. */
export const chosen = (page: Page, channel: string, key: string): Locator =>
  channelRegion(page, channel).getByRole("combobox", { name: key, exact: true });
/** What turns an alarm on and off. */
export const alarmSwitch = (page: Page, channel: string, key: string): Locator =>
  channelRegion(page, channel).getByRole("checkbox", { name: key, exact: true });

export const saveAll = (page: Page): Locator => page.getByRole("button", { name: "Save all" });
/** A line that says how things stand: of the changes, or of the settings. */
export const state = (page: Page, words: string): Locator => page.getByRole("status").filter({ hasText: words });

/** The field is said to be wrong, with this sentence below it. */
export const expectError = async (field: Locator, sentence: string): Promise<void> => {
  await expect(field).toHaveAttribute("aria-invalid", "true");
  const ids = (await field.getAttribute("aria-describedby"))?.split(" ") ?? [];
  const error = ids.find((id) => id.endsWith("-error"));
  await expect(field.page().locator(`[id="${error}"]`)).toHaveText(sentence);
};

/** Opens the form of a unit that an owner may set up. */
export const openSetup = async (page: Page, server: RunningServer, { deviceSnId }: Pick<Unit, "deviceSnId">) => {
  const ids = await idsOf(await clientOf(server), deviceSnId);
  await page.goto(`/configureDevicesAdd?deviceId=${ids.deviceId}`);
  await expect(saveAll(page)).toBeVisible();
  return ids;
};

/** Saves what is typed, after the question that lists it. */
export const save = async (page: Page): Promise<void> => {
  await saveAll(page).click();
  await dialogOf(page, "Save all").getByRole("button", { name: "Save", exact: true }).click();
};
