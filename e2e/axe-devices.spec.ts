import { checkWithTouch, errorsOf } from "./accessibility.ts";
import { expect, test } from "./harness.ts";
import { injectSession } from "./people.ts";
import { dialogOf, rowsOf } from "./screen.ts";

test.describe.configure({ timeout: 180_000 });

test("configuring devices is accessible, fits the screen and logs no errors", async ({ page, server }) => {
  const complaints = errorsOf(page);
  await injectSession(page, server);
  await page.goto("/configureDevices");
  await expect(rowsOf(page, "Devices", "Tank farm")).toBeVisible();
  await page.getByRole("button", { name: "Rows below" }).first().click();
  await expect(rowsOf(page, "Devices", "Feed pump drive").first()).toBeVisible();
  await checkWithTouch(page, "devices to configure");

  await page.getByRole("button", { name: "Edit Tank farm" }).click();
  const settings = dialogOf(page, "Device settings");
  await settings.getByLabel("Device name").fill("");
  await settings.getByLabel("Offline reporting time").fill("0");
  await settings.getByRole("button", { name: "Confirm" }).click();
  await expect(settings).toContainText("DEVICE NAME Cannot be blank");
  await checkWithTouch(page, "device settings with complaints", "[role=dialog]");
  await page.keyboard.press("Escape");
  await checkWithTouch(page, "whether to discard the input", "[role=dialog]");
  await settings.getByRole("button", { name: "Discard" }).click();
  await expect(settings).toHaveCount(0);

  await page.getByRole("button", { name: "Delete Tank farm" }).click();
  const first = dialogOf(page, "Delete device");
  await checkWithTouch(page, "the first question", "[role=dialog]");
  await first.getByRole("button", { name: "Delete" }).click();
  const second = dialogOf(page, "Delete device and data");
  await expect(second).toBeVisible();
  await checkWithTouch(page, "the second question", "[role=dialog]");
  await second.getByRole("button", { name: "Cancel" }).click();
  await expect(second).toHaveCount(0);

  await page.getByRole("button", { name: "Add device" }).click();
  await checkWithTouch(page, "add device", "[role=dialog]");
  await page.getByRole("button", { name: "Add a third-party device instead" }).click();
  const add = dialogOf(page, "Add third-party device");
  await add.getByRole("button", { name: "Confirm to create" }).click();
  await expect(add).toContainText("Address cannot be blank");
  await checkWithTouch(page, "add a third-party device with complaints", "[role=dialog]");
  await page.keyboard.press("Escape");
  await expect(add).toHaveCount(0);

  await page.getByRole("button", { name: "Check Feed pump drive" }).first().click();
  const found = dialogOf(page, "Check Feed pump drive");
  await expect(found.getByRole("status")).toContainText("at address");
  await checkWithTouch(page, "the checkWithTouch of a third-party device", "[role=dialog]");
  expect(complaints).toEqual([]);
});
