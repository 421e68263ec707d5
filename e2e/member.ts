import type { Locator, Page } from "@playwright/test";
import { aNewOwner } from "./mailing.ts";
import { enterUnseenAs } from "./people.ts";
import type { RunningServer } from "./server-process.ts";

/** The password of the people of these tests. */
export const password = "long enough";

/** Somebody with a plant of their own, signed in when the page is opened; nobody else's names, photo or sessions are touched. */
export const enterAsNewOwner = async (page: Page, server: RunningServer): Promise<string> => {
  const email = await aNewOwner(server, password);
  await enterUnseenAs(page, server, email, password);
  return email;
};

const isPhone = (page: Page): boolean => (page.viewportSize()?.width ?? 0) < 768;

/** The account button in the bar. */
export const accountButton = (page: Page, email: string): Locator =>
  page.getByRole("banner").getByRole("button", { name: email });

/** Opens an account screen by the member-info menu: beside the page, on a phone in a sheet. */
export const openMemberPage = async (page: Page, label: string): Promise<void> => {
  if (isPhone(page)) await page.getByRole("button", { name: "Member info" }).click();
  const menu = isPhone(page)
    ? page.getByRole("dialog", { name: "Member info" })
    : page.getByRole("navigation", { name: "Member info" });
  await menu.getByRole("link", { name: label, exact: true }).click();
  await page.getByRole("heading", { level: 1, name: label, exact: true }).waitFor();
};

/** Presses Save. */
export const save = (page: Page): Promise<void> =>
  page.getByRole("main").getByRole("button", { name: "Save", exact: true }).click();
