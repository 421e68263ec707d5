import { firmware, updatingNote, VersionType } from "@telltale/contract/domains/firmware";
import { checkWithTouch, errorsOf } from "./accessibility.ts";
import { addImage, connectFirmwareUnit } from "./firmware-unit.ts";
import { expect, test } from "./harness.ts";
import { clientOf, injectSession } from "./people.ts";
import { dialogOf, rowsOf } from "./screen.ts";
import { addUnit } from "./unit.ts";

test.describe.configure({ timeout: 180_000 });
// A version can be added to a server only once.
test.use({ own: "axe-firmware" });

test.beforeAll(async ({ server }) => {
  await addImage(server, "DIS-024-04", "1.1.0");
});

test("firmware is accessible while it is updated, when that fails, and before; it fits the screen", async ({
  page,
  server,
}) => {
  const validationErrors = errorsOf(page);
  const unit = await addUnit(server, { model: "DIS" });
  const device = await connectFirmwareUnit(server, unit, "1.0.0");
  await injectSession(page, server);
  await page.goto(`/support?tab=downloads`);
  await expect(rowsOf(page, "Firmware", "Pump house 2")).toContainText("NEW");
  await checkWithTouch(page, "firmware");
  await page.getByRole("button", { name: "Update Pump house 2" }).click();
  await expect(dialogOf(page, "Update firmware")).toBeVisible();
  await checkWithTouch(page, "the question before an update");
  await page.keyboard.press("Escape");

  const owner = await clientOf(server);
  const { deviceSnId } = unit;
  await owner(firmware.update, { deviceSnId, versionNo: "1.1.0", versionType: VersionType.mcu });
  await device.offer();
  await device.chunk(0, 4096);
  await page.goto(`/support?tab=downloads&deviceSnId=${deviceSnId}`);
  await expect(page.getByText(updatingNote)).toBeVisible();
  await expect(rowsOf(page, "Firmware", unit.name)).toContainText("1 of 3");
  await checkWithTouch(page, "an update under way");
  await device.report({ fw_state: "FAILED", fw_error: "There is not enough room for the image in the unit" });
  await expect(rowsOf(page, "Firmware", unit.name)).toContainText("not enough room");
  await checkWithTouch(page, "an update that failed");
  await device.client.endAsync();
  expect(validationErrors).toEqual([]);
});
