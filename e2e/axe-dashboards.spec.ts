import { checkWithTouch, errorsOf } from "./accessibility.ts";
import { expect, test } from "./harness.ts";
import { injectSession } from "./people.ts";
import { dialogOf, rowsOf } from "./screen.ts";

test.describe.configure({ timeout: 180_000 });

test("configuring dashboards is accessible, fits the screen and logs no errors", async ({ page, server }) => {
  const complaints = errorsOf(page);
  await injectSession(page, server);
  await page.goto("/configureDashboard");
  await expect(rowsOf(page, "Dashboards", "Gate house")).toBeVisible();
  await checkWithTouch(page, "dashboards to configure");
  await page.getByRole("button", { name: "Add dashboard" }).click();
  const add = dialogOf(page, "Add dashboard");
  await expect(add.getByRole("checkbox").first()).toBeVisible();
  await add.getByRole("button", { name: "Save" }).click();
  await expect(add).toContainText("Channel List cannot be blank");
  await checkWithTouch(page, "add dashboard with complaints", "[role=dialog]");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Channel groups" }).click();
  await expect(dialogOf(page, "Channel groups")).toContainText("Standby pump phase currents");
  await checkWithTouch(page, "channel groups", "[role=dialog]");
  await page.getByRole("button", { name: "Edit Standby pump phase currents" }).click();
  await expect(dialogOf(page, "Edit channel group").getByRole("checkbox").first()).toBeVisible();
  await checkWithTouch(page, "edit channel group", "[role=dialog]");
  await page.goto("/dragging");
  await expect(page.getByRole("list", { name: "Tiles" }).getByRole("listitem").first()).toBeVisible();
  await checkWithTouch(page, "tiles to arrange");
  expect(complaints).toEqual([]);
});
