import { expect, test } from "./harness.ts";
import { openSignedIn } from "./people.ts";
import { alertOf, dialogOf, tileOf, windowOf } from "./screen.ts";
import { addUnit, reportOnce } from "./unit.ts";

test("an alert is seen and confirmed on a phone, within reach of the thumb", { tag: "@phone" }, async ({
  page,
  server,
}) => {
  await openSignedIn(page, server);
  const unit = await addUnit(server);
  await reportOnce(server, unit, { AI1: 99 });
  await expect(tileOf(page, "AI1", unit.name)).toContainText(/99\.00\s*bar/);
  await expect(windowOf(page, unit.name)).toContainText("99.00 bar");
  const tabs = page.getByRole("navigation", { name: "Main menu" });
  await tabs.getByRole("link", { name: "ALERT", exact: true }).tap();
  const entry = alertOf(page, unit.name);
  await entry.getByRole("button", { name: "CLICK TO CONFRIM" }).tap();
  await dialogOf(page, "Confirm alert").getByRole("button", { name: "Confirm", exact: true }).tap();
  await expect(entry.getByRole("button")).toHaveCount(0);
});

test("the tab bar's MENU contains what does not fit into the bar: connection and theme", { tag: "@phone" }, async ({
  page,
  server,
}) => {
  await openSignedIn(page, server);
  await page.getByRole("button", { name: "MENU" }).tap();
  const sheet = dialogOf(page, "Menu");
  await expect(sheet).toContainText("Live");
  await sheet.getByText("Dark", { exact: true }).tap();
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
  await page.reload();
  await expect(page.locator("html"), "remembered").toHaveAttribute("data-mantine-color-scheme", "dark");
});

test("Back closes the menu, and then leaves the page", { tag: "@phone" }, async ({ page, server }) => {
  await openSignedIn(page, server);
  const tabs = page.getByRole("navigation", { name: "Main menu" });
  await tabs.getByRole("link", { name: "ALERT", exact: true }).tap();
  const title = page.getByRole("heading", { level: 1 });
  await expect(title).toHaveText("ALERT");
  await page.getByRole("button", { name: "MENU" }).tap();
  await expect(dialogOf(page, "Menu")).toBeVisible();
  await page.goBack();
  await expect(dialogOf(page, "Menu")).toHaveCount(0);
  await expect(title).toHaveText("ALERT");
  await page.goBack();
  await expect(title).toHaveText("DASHBOARD");
});
