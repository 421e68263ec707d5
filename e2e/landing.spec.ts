import type { Page } from "@playwright/test";
import { expect, test } from "./harness.ts";
import { emailOf, injectSession, password } from "./people.ts";

const places = [
  ["Devices", "/devices"],
  ["Support", "/support"],
] as const;

const logIn = async (page: Page): Promise<void> => {
  await page.getByLabel("Email").fill(emailOf("owner"));
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.getByRole("button", { name: "Log IN" }).click();
};

test("the landing page links to the login, to devices and to support; signing in continues there", async ({ page }) => {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    for (const [label, path] of places) {
      await page.goto("/index");
      const links = page.getByRole("navigation", { name: "Console" }).getByRole("link");
      await expect(links).toHaveText(places.map(([name]) => name));
      await expect(
        page.getByRole("navigation", { name: "Account" }).getByRole("link", { name: "Log IN" }),
      ).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      await links.filter({ hasText: label }).click();
      await expect(page).toHaveURL("/login");
      await logIn(page);
      await expect(page).toHaveURL(path);
      await page.evaluate(() => localStorage.clear());
    }
  }
});

test("with a session the landing page's links lead straight to the pages", async ({ page, server }) => {
  await injectSession(page, server);
  for (const [label, path] of places) {
    await page.goto("/index");
    await page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: label }).click();
    await expect(page).toHaveURL(path);
  }
});
