import type { Page } from "@playwright/test";
import { expect, test } from "./harness.ts";
import { injectSession, openSignedIn } from "./people.ts";
import { startServer } from "./server-process.ts";

const line = (page: Page) => page.getByText("Demonstration: its mails");

test.describe("the login page of a demonstration says that it is one", () => {
  test("by its address and after a reload", async ({ page }) => {
    await page.goto("/login");
    await expect(line(page)).toBeVisible();
    await page.reload();
    await expect(line(page)).toBeVisible();
  });

  test("from the public page", async ({ page }) => {
    await page.goto("/index");
    await page.getByRole("link", { name: "Log IN" }).first().click();
    await expect(line(page)).toBeVisible();
  });

  test("after a session ended by the server, wherever it ended", async ({ page, server }) => {
    await injectSession(page, server);
    for (const path of ["/alarms", "/devices", "/configureUsers"]) {
      // A page without the console, which could otherwise end the session by a call of its own before the page is opened.
      await page.goto("/readyz");
      await page.evaluate(() => localStorage.setItem("telltale-token", "ended"));
      await page.goto(path);
      await expect(page).toHaveURL(/\/login/);
      await expect(line(page)).toBeVisible();
      await openSignedIn(page, server);
    }
  });

  test("after a session that ends while the console is open", async ({ page, server }) => {
    await openSignedIn(page, server);
    await page.getByRole("link", { name: "Alert", exact: true }).first().click();
    // Immediately, because otherwise a call of the console itself would end the session before the click.
    await page
      .getByRole("link", { name: "DEVICES", exact: true })
      .first()
      .evaluate((link: HTMLElement) => {
        localStorage.setItem("telltale-token", "ended");
        link.click();
      });
    await expect(page).toHaveURL(/\/login/);
    await expect(line(page)).toBeVisible();
  });

  test("from a mailed link and from the back link of a password reset", async ({ page }) => {
    await page.goto("/resetPassword");
    await page.goto("/forgetEdit?accessToken=wrong&email=owner%40telltale.local");
    await page.goto("/confirm?accessToken=wrong&email=owner%40telltale.local");
    await expect(page).toHaveURL(/\/login/);
    await expect(line(page)).toBeVisible();
  });

  test("after the server was unreachable for a moment", async ({ page }) => {
    let isAway = true;
    await page.route("**/api/site*", (route) => (isAway ? route.abort() : route.continue()));
    await page.goto("/login");
    await expect(page.getByRole("button", { name: /Log IN/i })).toBeVisible();
    isAway = false;
    await expect(line(page)).toBeVisible({ timeout: 20_000 });
  });
});

test("the login page of a server without the demonstration does not", async ({ page }) => {
  const server = await startServer({ demo: false });
  await page.goto(`${server.baseURL}/login`);
  await expect(page.getByRole("button", { name: /Log IN/i })).toBeVisible();
  await page.waitForLoadState("networkidle");
  await expect(line(page)).toHaveCount(0);
  await server.stop();
});
