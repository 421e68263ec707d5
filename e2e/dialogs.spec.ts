import { expect, test } from "./harness.ts";
import { injectSession } from "./people.ts";
import { dialogOf } from "./screen.ts";
import { addUnit } from "./unit.ts";

test("Escape and a click outside a form ask before typed text is discarded; Cancel discards it", {
  tag: "@phone",
}, async ({ page, server }) => {
  const unit = await addUnit(server);
  await injectSession(page, server);
  await page.goto(`/configureDevices?deviceSnId=${unit.deviceSnId}`);
  const dialog = dialogOf(page, "Device settings");
  const name = dialog.getByLabel("Device name");
  const question = dialog.getByText("Discard your input?");
  const openSettings = async () => {
    await page.getByRole("button", { name: `Edit ${unit.name}` }).click();
    await expect(name).toBeFocused();
  };
  await openSettings();
  await name.fill("Half a na");
  await page.keyboard.press("Escape");
  await expect(question).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Keep editing" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(question, "a second Escape goes back to the form").toHaveCount(0);
  await expect(name).toBeFocused();
  await expect(name).toHaveValue("Half a na");
  await dialog.getByRole("button", { name: "Close" }).click();
  await dialog.getByRole("button", { name: "Keep editing" }).click();
  await expect(name).toBeFocused();
  await name.fill(unit.name);
  await page.keyboard.press("Escape");
  await expect(dialog, "nothing differs from before").toHaveCount(0);
  await openSettings();
  await name.fill("Half a na");
  await page.keyboard.press("Escape");
  await dialog.getByRole("button", { name: "Discard" }).click();
  await expect(dialog).toHaveCount(0);
  await openSettings();
  await expect(name).toHaveValue(unit.name);
  await name.fill("Half a na");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toHaveCount(0);
});
