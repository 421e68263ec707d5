import type { Locator, Page } from "@playwright/test";
import { addOwner } from "./mailing.ts";
import { injectSessionAs } from "./people.ts";
import type { RunningServer } from "./server-process.ts";

/** The password of these tests' users. */
export const password = "long enough";

/** Signs in as a new owner with a separate plant, so that no other user's names, photo or sessions are affected. */
export const signInAsNewOwner = async (page: Page, server: RunningServer): Promise<string> => {
  const email = await addOwner(server, password);
  await injectSessionAs(page, server, email, password);
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
