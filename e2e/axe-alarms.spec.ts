import { checkWithTouch, errorsOf } from "./accessibility.ts";
import { expect, test } from "./harness.ts";
import { injectSession } from "./people.ts";
import { dialogOf, formOf, rowsOf } from "./screen.ts";

test.describe.configure({ timeout: 180_000 });

test("configuring alerts is accessible, fits the screen and logs no errors", async ({ page, server }) => {
  const complaints = errorsOf(page);
  await injectSession(page, server);
  await page.goto("/configureAlarm");
  await expect(rowsOf(page, "Threshold alerts and notifications", "Cold store lost")).toBeVisible();
  await checkWithTouch(page, "alerts about limits and notifications");
  await page.goto("/configureAlarm?tab=custom");
  await expect(rowsOf(page, "Custom alerts", "Wet well high")).toBeVisible();
  await checkWithTouch(page, "custom alerts");
  await page.getByRole("button", { name: "Add alert" }).click();
  const add = formOf(page, "Add alert");
  await expect(add.getByRole("checkbox").first()).toBeVisible();
  await add.getByRole("button", { name: "Save" }).click();
  await expect(add).toContainText("No email or phone number selected");
  await checkWithTouch(page, "add alert with complaints");
  await add.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Edit Wet well high" }).click();
  await expect(formOf(page, "Edit alert").getByRole("checkbox", { name: /Priya Nair/ })).toBeChecked();
  await checkWithTouch(page, "edit alert");
  await page.goBack();
  await page.getByRole("button", { name: "Delete Wet well high" }).click();
  await expect(dialogOf(page, "Delete alert")).toContainText("Wet well high");
  await checkWithTouch(page, "delete alert", "[role=dialog]");
  expect(complaints).toEqual([]);
});
