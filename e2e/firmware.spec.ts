import type { Locator, Page } from "@playwright/test";
import { firmware, firmwarePolling, updatingNote, VersionType } from "@telltale/contract/domains/firmware";
import { addressesOf, warning } from "./answers.ts";
import { addImage, connectFirmwareUnit, type Image, simulateUnit } from "./firmware-unit.ts";
import { expect, test } from "./harness.ts";
import { clientOf, injectSession, openSupportView } from "./people.ts";
import { dialogOf, filterTags, openFilter, rowsOf } from "./screen.ts";
import type { RunningServer } from "./server-process.ts";
import { addUnit } from "./unit.ts";

// A device is slow: it downloads, restarts and reconnects.
test.describe.configure({ timeout: 300_000 });
// A version can be added to a server only once.
test.use({ own: "firmware" });

const model = "DIS-024-04";
let image: Image;
const simulated = "Pump house 2";

test.beforeAll(async ({ server }) => {
  image = await addImage(server, model, "1.1.0");
});

const firmwareRow = (page: Page, name: string): Locator => rowsOf(page, "Firmware", name);
const updated = { timeout: 120_000 };

const openDownloads = async (page: Page, filter = ""): Promise<void> => {
  await page.goto(`/support?tab=downloads${filter}`);
  await expect(page.getByRole("table", { name: "Firmware" })).toBeVisible();
};

/** Presses a row's button and confirms. */
const confirm = async (page: Page, name: string, way: "Update" | "Rollback"): Promise<void> => {
  await firmwareRow(page, name)
    .getByRole("button", { name: `${way} ${name}` })
    .click();
  const dialog = dialogOf(page, way === "Update" ? "Update firmware" : "Roll back firmware");
  await expect(dialog).toContainText(name);
  await dialog.getByRole("button", { name: way, exact: true }).click();
  await expect(dialog).toHaveCount(0);
};

/** An online unit of the plant that runs 1.0.0, with the filter for its row. */
const aUnit = async (server: RunningServer) => {
  const unit = await addUnit(server, { model: "DIS" });
  return { unit, device: await connectFirmwareUnit(server, unit, "1.0.0"), filter: `&deviceSnId=${unit.deviceSnId}` };
};

test("a simulated device is updated and rolled back; it is polled only during the update", async ({ page, server }) => {
  await injectSession(page, server);
  await openDownloads(page);
  let polls = 0;
  page.on("request", (request) => {
    if (addressesOf(firmware.detail).test(request.url())) polls += 1;
  });
  const row = firmwareRow(page, simulated);
  await expect(row).toContainText("***3F12");
  await expect(row).toContainText("NEW");
  await expect(row).toContainText("MCU");
  await expect(firmwareRow(page, "Feed pump, drive end")).toContainText("MESH");
  await expect(page.getByText(updatingNote)).toHaveCount(0);

  await confirm(page, simulated, "Update");
  await expect(page.getByText(updatingNote)).toBeVisible();
  await expect(row).toContainText(/2\.5\.0: Downloading, \d+ of 48/);
  await expect(row.getByRole("img", { name: `${simulated} is being updated` })).toBeVisible();
  await expect(row.getByRole("button")).toHaveCount(0);
  await expect(row, "it runs the new one").toContainText("NONE", updated);
  await expect(page.getByText(updatingNote)).toHaveCount(0);
  expect(polls).toBeGreaterThan(1);

  await expect(row.getByRole("button", { name: `Update ${simulated}` })).toHaveCount(0);
  const before = polls;
  await page.waitForTimeout(firmwarePolling * 1.5);
  expect(polls, "nothing is updated, nothing is asked").toBe(before);

  await confirm(page, simulated, "Rollback");
  await expect(row).toContainText("NEW", updated);
  await expect(row.getByRole("button", { name: `Update ${simulated}` })).toBeVisible(updated);
  await expect(row.getByRole("button", { name: `Rollback ${simulated}` })).toHaveCount(0);
});

test("a download resumes where it was after the server was killed", async ({ page, server }) => {
  const { bytes, sha256 } = image;
  const { unit, device, filter } = await aUnit(server);
  await injectSession(page, server);
  await openDownloads(page, filter);
  const row = firmwareRow(page, unit.name);
  await confirm(page, unit.name, "Update");
  expect(await device.offer()).toMatchObject({ fw_title: model, fw_version: "1.1.0", fw_checksum: sha256 });
  const first = await device.chunk(0, 4096);
  await expect(row).toContainText("1.1.0: Downloading, 1 of 3");

  await device.client.endAsync(true);
  await server.kill9();
  await server.restart();
  const back = await connectFirmwareUnit(server, unit, "1.0.0");
  await back.offer();
  await expect(row).toContainText("1.1.0: Downloading, 1 of 3");
  const rest = [await back.chunk(1, 4096), await back.chunk(2, 4096)];
  expect(Buffer.concat([first, ...rest]).equals(bytes)).toBe(true);
  await back.report({ fw_state: "VERIFIED", fw_checksum: sha256 });
  await expect(row).toContainText("Checked, being installed");
  await back.report({ current_fw_version: "1.1.0", fw_state: "UPDATED" });
  await expect(row).toContainText("NONE");
  await expect(row.getByRole("button", { name: `Rollback ${unit.name}` }), "1.0.0 was never kept").toHaveCount(0);
  await back.client.endAsync();
});

test("a wrong digest is refused, the list says why, and the update can be retried", async ({ page, server }) => {
  const { unit, device, filter } = await aUnit(server);
  await injectSession(page, server);
  await openDownloads(page, filter);
  const row = firmwareRow(page, unit.name);
  await confirm(page, unit.name, "Update");
  await device.offer();
  await device.report({ fw_state: "FAILED", fw_error: "damaged", fw_checksum: "0".repeat(64) });
  await expect(row).toContainText("Not updated to 1.1.0: What arrived at the device is not the image");
  await expect(row).toContainText("1.0.0");
  await confirm(page, unit.name, "Update");
  await device.report({ current_fw_version: "1.1.0" });
  await expect(row).not.toContainText("Not updated");
  await expect(row).toContainText("NONE");
  await device.client.endAsync();
});

for (const [fault, ends] of [
  ["interruption", "NONE"],
  ["corruption", "Not updated to 1.1.0: What arrived at the device is not the image"],
  ["no-start", "Not updated to 1.1.0: 1.1.0 did not start"],
] as const)
  test(`a simulated device whose first update has a fault (${fault}) is updated at once or on retry`, async ({
    page,
    server,
  }) => {
    const unit = await addUnit(server, { model: "DIS" });
    const end = await simulateUnit(server, unit, fault);
    try {
      await injectSession(page, server);
      await openDownloads(page, `&deviceSnId=${unit.deviceSnId}`);
      const row = firmwareRow(page, unit.name);
      await expect(row).toContainText("1.0.0", updated);
      await confirm(page, unit.name, "Update");
      await expect(row).toContainText(ends, updated);
      if (ends !== "NONE") {
        await expect(row, "it keeps what it ran").toContainText("1.0.0");
        await confirm(page, unit.name, "Update");
      }
      await expect(row).toContainText("NONE", updated);
    } finally {
      await end();
    }
  });

test("when two users update the same device, the second gets a message", async ({ page, server }) => {
  const { unit, device, filter } = await aUnit(server);
  await injectSession(page, server);
  await openDownloads(page, filter);
  await firmwareRow(page, unit.name)
    .getByRole("button", { name: `Update ${unit.name}` })
    .click();
  const dialog = dialogOf(page, "Update firmware");
  await expect(dialog).toContainText("1.0.0 to 1.1.0");
  const owner = await clientOf(server);
  await owner(firmware.update, { deviceSnId: unit.deviceSnId, versionNo: "1.1.0", versionType: VersionType.mcu });
  await dialog.getByRole("button", { name: "Update", exact: true }).click();
  const sentence = `${unit.name} is being updated to 1.1.0. Please wait until that update has ended`;
  await expect(warning(page, sentence)).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await device.report({ current_fw_version: "1.1.0" });
  await expect(firmwareRow(page, unit.name)).toContainText("NONE");
  await device.client.endAsync();
});

test("the list can be filtered by device name, device ID, status and update time", async ({ page, server }) => {
  await injectSession(page, server);
  await openDownloads(page);
  const popover = await openFilter(page, "DEVICE ID");
  await popover.getByRole("textbox").fill("41c0");
  await page.keyboard.press("Enter");
  await expect(filterTags(page)).toContainText("41c0");
  await expect(firmwareRow(page, "Feed pump, drive end")).toBeVisible();
  await expect(firmwareRow(page, simulated)).toHaveCount(0);
  await openDownloads(page, "&deviceName=tank");
  await expect(firmwareRow(page, "Tank farm")).toContainText("--");
  await expect(firmwareRow(page, "Tank farm").getByRole("button")).toHaveCount(0);
  await openDownloads(page, "&status=4");
  await expect(firmwareRow(page, "Cold store 4")).toBeVisible();
  await expect(firmwareRow(page, "Tank farm")).toHaveCount(0);
  await openDownloads(page, "&updated=2001-01-01~2001-01-02");
  await expect(page.getByText("No devices match these filters")).toBeVisible();
});

test("a support view and a viewer can see the firmware but not change it", async ({ page, server }) => {
  await openSupportView(page, server);
  await openDownloads(page);
  await expect(firmwareRow(page, simulated)).toContainText("2.4.1");
  await expect(page.getByRole("columnheader", { name: "OPERATION" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^(Update|Rollback) / })).toHaveCount(0);
  await page.context().clearCookies();
  await injectSession(page, server, "viewer");
  await openDownloads(page);
  await expect(firmwareRow(page, simulated), "it is on the viewer's dashboard").toBeVisible();
  await expect(firmwareRow(page, "Cold store 4")).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^(Update|Rollback) / })).toHaveCount(0);
});
