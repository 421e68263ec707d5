import type { Locator, Page } from "@playwright/test";
import { Message } from "@telltale/contract/call/codes";
import { deviceConfiguration } from "@telltale/contract/domains/device-configuration";
import { devices } from "@telltale/contract/domains/devices";
import { showPaymentsDue, warning } from "./answers.ts";
import { expect, test } from "./harness.ts";
import { clientOf, injectSession, openSupportView, type Person } from "./people.ts";
import { connectRpcUnit } from "./rpc-unit.ts";
import { dialogOf, filterTags, openFilter, rowsOf } from "./screen.ts";
import type { RunningServer } from "./server-process.ts";
import { addUnit, connectUnit, freshName, idsOf, publish, reportOnce, type Unit } from "./unit.ts";

const deviceOf = (page: Page, text: string): Locator => rowsOf(page, "Devices", text);
const notice = (page: Page, sentence: string): Locator => page.getByText(sentence, { exact: true });

/** Opens the list filtered to this device. */
const openAt = async (page: Page, server: RunningServer, unit: Unit, person: Person = "owner"): Promise<Locator> => {
  await injectSession(page, server, person);
  await page.goto(`/configureDevices?deviceSnId=${unit.deviceSnId}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("CONFIGURATION-DEVICE");
  const row = deviceOf(page, unit.deviceSnId);
  await expect(row).toBeVisible();
  return row;
};

const openSettings = async (page: Page, name: string): Promise<Locator> => {
  await page.getByRole("button", { name: `Edit ${name}` }).click();
  const dialog = dialogOf(page, "Device settings");
  await expect(dialog.getByLabel("Device name")).toBeFocused();
  return dialog;
};

const switchOf = (row: Locator): Locator => row.getByRole("switch");
/** Presses the switch and confirms the question. Mantine's switch is a hidden checkbox below its picture. */
const press = async (page: Page, row: Locator, what: "Disable" | "Enable", unit: Unit): Promise<void> => {
  const question = dialogOf(page, `${what} device`);
  const before = await switchOf(row).isChecked();
  await switchOf(row).click({ force: true });
  await expect(question).toContainText(`${unit.name}, ${unit.deviceSnId}`);
  await expect(question).toContainText(what === "Disable" ? "its open alerts are cleared" : "stored again");
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(question).toHaveCount(0);
  expect(await switchOf(row).isChecked(), "a no changes nothing").toBe(before);
  await switchOf(row).click({ force: true });
  await question.getByRole("button", { name: what }).click();
};

test("a device's name and offline reporting time can be changed, and it receives its new report interval", async ({
  page,
  server,
}) => {
  const unit = await addUnit(server);
  const { attributes, client } = await connectRpcUnit(server, unit);
  const row = await openAt(page, server, unit);
  const dialog = await openSettings(page, unit.name);
  await expect(dialog.getByLabel("Device", { exact: true })).toHaveValue(unit.deviceSn);
  await expect(dialog.getByLabel("Device id", { exact: true })).toHaveValue(unit.deviceSnId);
  for (const label of ["Device", "Device id", "Parent"])
    await expect(dialog.getByLabel(label, { exact: true })).not.toBeEditable();
  const name = freshName("Kettle");
  await dialog.getByLabel("Device name").fill(name);
  await dialog.getByLabel("Offline reporting time").fill("5");
  await dialog.getByLabel("Report interval").fill("900");
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await expect(notice(page, "Modify successful")).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(row).toContainText(name);
  await expect.poll(() => attributes.at(-1)).toMatchObject({ reportInterval: 900 });
  const owner = await clientOf(server);
  const { deviceId } = await idsOf(owner, unit.deviceSnId);
  expect((await owner(devices.detail, { deviceId })).device).toMatchObject({ offlineReport: 5, periodicity: 900 });
  await client.endAsync();
});

test("the settings report blank, out-of-range and unchanged fields", async ({ page, server }) => {
  const master = await addUnit(server, { model: "MIX" });
  const unit = await addUnit(server, { model: "VBS", parent: master });
  await openAt(page, server, unit);
  const dialog = await openSettings(page, unit.name);
  const confirm = dialog.getByRole("button", { name: "Confirm" });
  await expect(dialog.getByLabel("Parent", { exact: true })).toHaveValue(master.name);
  await confirm.click();
  await expect(warning(page, "There are no changes")).toBeVisible();
  await dialog.getByLabel("Device name").fill(" ");
  await confirm.click();
  await expect(dialog).toContainText("DEVICE NAME Cannot be blank");
  await dialog.getByLabel("Device name").fill(unit.name);
  const minutes = dialog.getByLabel("Offline reporting time");
  for (const wrong of ["0", "1441", "1.5", "soon", ""]) {
    await minutes.fill(wrong);
    await confirm.click();
    await expect(dialog, wrong).toContainText("Offline reporting time has to be a whole number from 1 to 1440");
    await minutes.fill("10");
    await expect(dialog).not.toContainText("has to be a whole number");
  }
  const interval = dialog.getByLabel("Report interval");
  for (const [wrong, sentence] of [
    ["9", "Cannot be less than: 10"],
    ["43201", "Cannot be greater than: 43200"],
    ["", "Enter the report interval in whole seconds"],
  ] as const) {
    await interval.fill(wrong);
    await confirm.click();
    await expect(dialog, wrong).toContainText(sentence);
    await interval.fill("60");
    await expect(dialog).not.toContainText(sentence);
  }
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toHaveCount(0);
});

test("when two users edit a device, the second sees the conflict and keeps the input", async ({ page, server }) => {
  const unit = await addUnit(server);
  const row = await openAt(page, server, unit);
  const dialog = await openSettings(page, unit.name);
  const [mine, theirs] = [freshName("Mine"), freshName("Theirs")];
  await dialog.getByLabel("Device name").fill(mine);
  const owner = await clientOf(server);
  const { deviceId } = await idsOf(owner, unit.deviceSnId);
  await owner(deviceConfiguration.update, { deviceId, deviceName: theirs });
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await expect(notice(page, Message.changedMeanwhile)).toBeVisible();
  await expect(dialog.getByLabel("Device name")).toHaveValue(mine);
  await expect(row).toContainText(theirs);
  const review = dialogOf(page, "Changed in the meantime");
  await expect(review).toContainText(`${unit.name} ${theirs}`);
  await review.getByRole("radio", { name: `Save yours: ${mine}` }).check();
  await review.getByRole("button", { name: "Save" }).click();
  await expect(row).toContainText(mine);
});

test("a device restarts after a confirmation, and an offline one is reported as such", async ({ page, server }) => {
  const unit = await addUnit(server);
  await openAt(page, server, unit);
  const dialog = await openSettings(page, unit.name);
  const restart = dialog.getByRole("button", { name: "Restart" });
  const confirmation = dialogOf(page, "Restart device");
  const confirm = async () => {
    await restart.click();
    await confirmation.getByRole("button", { name: "Restart" }).click();
  };
  await confirm();
  await expect(notice(page, `${unit.name} is not connected. It can be restarted when it is online`)).toBeVisible();
  const { commands, client } = await connectRpcUnit(server, unit);
  await dialog.getByLabel("Device name").fill("Not saved yet");
  await restart.click();
  await expect(confirmation).toContainText(`${unit.name}, ${unit.deviceSnId}`);
  await expect(confirmation).toContainText("Restarting does not save your input. It stays in the form.");
  await page.keyboard.press("Escape");
  await expect(confirmation).toHaveCount(0);
  await expect(dialog, "only the question is closed").toBeVisible();
  expect(commands, "nothing was sent").toEqual([]);
  await confirm();
  await expect(notice(page, `${unit.name} restarts`)).toBeVisible();
  await expect(dialog.getByLabel("Device name")).toHaveValue("Not saved yet");
  expect(commands.map(({ method }) => method)).toEqual(["restart"]);
  await client.endAsync();
});

test("a disabled device's readings are refused, its switch stays, and they are stored again once it is enabled", async ({
  page,
  server,
}) => {
  const unit = await addUnit(server);
  await reportOnce(server, unit, { AI1: 99 });
  const row = await openAt(page, server, unit);
  await expect(row).toContainText("Alert");
  await expect(switchOf(row)).toBeChecked();
  await press(page, row, "Disable", unit);
  await expect(row).toContainText("Inactive");
  await expect(switchOf(row)).not.toBeChecked();
  const client = await connectUnit(server, unit);
  await publish(client, { AI1: 50 });
  await page.reload();
  await expect(row, "its report was refused").toContainText("Inactive");
  await press(page, row, "Enable", unit);
  await expect(switchOf(row)).toBeChecked();
  await expect(async () => {
    await publish(client, { AI1: 51 });
    await expect(row).toContainText("Normal", { timeout: 1_000 });
  }).toPass();
  await client.endAsync();
});

test("a device can be deleted only when disabled, after two confirmations, and added again by its ID", async ({
  page,
  server,
}) => {
  const unit = await addUnit(server);
  await reportOnce(server, unit, { AI1: 50 });
  const row = await openAt(page, server, unit);
  await expect(row).toContainText("Normal");
  const remove = page.getByRole("button", { name: `Delete ${unit.name}` });
  await remove.click();
  await expect(warning(page, "Disable op before deleting the device")).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await press(page, row, "Disable", unit);
  await expect(row).toContainText("Inactive");
  await remove.click();
  const first = dialogOf(page, "Delete device");
  await expect(first).toContainText("Are you sure that you want to delete this Device?");
  await first.getByRole("button", { name: "Delete" }).click();
  const second = dialogOf(page, "Delete device and data");
  await expect(second).toContainText(/all .*data/i);
  await second.getByRole("button", { name: "Cancel" }).click();
  await expect(row).toBeVisible();
  await remove.click();
  await first.getByRole("button", { name: "Delete" }).click();
  await second.getByRole("button", { name: "Delete all" }).click();
  await expect(notice(page, "Delete successful")).toBeVisible();
  await expect(page.getByText("No devices match these filters")).toBeVisible();

  await page.getByRole("button", { name: "Add device" }).click();
  const add = dialogOf(page, "Add device");
  await add.getByLabel("Device ID").fill(unit.deviceSnId);
  await add.getByRole("button", { name: "Next" }).click();
  await expect(add).toContainText("Bluetooth");
  await add.getByRole("button", { name: "Next" }).click();
  const name = freshName("Second life");
  await add.getByLabel("Device name").fill(name);
  await add.getByRole("button", { name: "Confirm to create" }).click();
  await expect(notice(page, "Create successful")).toBeVisible();
  await expect(row).toContainText(name);
  await expect(row).toContainText("Inactive");
  await expect(switchOf(row), "a device that was never seen has nothing to switch off").toHaveCount(0);
});

test("a master cannot be deleted before its sub-devices", async ({ page, server }) => {
  const master = await addUnit(server, { model: "MIX" });
  await addUnit(server, { model: "VBS", parent: master });
  const row = await openAt(page, server, master);
  await page.getByRole("button", { name: `Delete ${master.name}` }).click();
  await dialogOf(page, "Delete device").getByRole("button", { name: "Delete" }).click();
  const second = dialogOf(page, "Delete device and data");
  await second.getByRole("button", { name: "Delete all" }).click();
  const refusal = notice(page, "Delete the sub-device of this device first");
  await expect(refusal).toBeVisible();
  await expect(second).toBeHidden();
  await expect(row).toBeVisible();

  // When the sub-device is listed too, deletion is refused without a question.
  await page.goto("/configureDevices?status=3");
  await page.getByRole("button", { name: `Delete ${master.name}` }).click();
  await expect(refusal).toBeVisible();
  await expect(dialogOf(page, "Delete device")).toBeHidden();
});

test("the list is filtered by status and name, and the filters are part of the address", async ({ page, server }) => {
  const unit = await addUnit(server);
  await openAt(page, server, unit);
  const byStatus = await openFilter(page, "STATUS");
  await byStatus.getByRole("checkbox", { name: "Normal" }).check();
  await byStatus.getByRole("button", { name: "Apply" }).click();
  await expect(filterTags(page)).toContainText("STATUSNormal");
  await expect(page).toHaveURL(/[?&]status=2/);
  await expect(page.getByText("No devices match these filters")).toBeVisible();
  for (const head of ["INSTALLED", "RENEWED", "PAY DATE"]) {
    const filter = await openFilter(page, head);
    await filter.getByRole("textbox", { name: "End date" }).fill("2026-01-31");
    await filter.getByRole("button", { name: "Apply" }).click();
    await expect(filter).toContainText("Please select start date");
    await page.keyboard.press("Escape");
  }
  await filterTags(page).getByRole("button", { name: "Clear all" }).click();
  await expect(deviceOf(page, "Pump house 2").first()).toBeVisible();
});

test("a device manager can edit but not delete; a support view is read-only", async ({ page, server }) => {
  const unit = await addUnit(server);
  await reportOnce(server, unit, { AI1: 50 });
  await openAt(page, server, unit, "manager");
  await expect(page.getByRole("button", { name: `Edit ${unit.name}` })).toBeVisible();
  await expect(page.getByRole("button", { name: `Delete ${unit.name}` })).toHaveCount(0);
  await showPaymentsDue(page);
  await page.reload();
  await expect(deviceOf(page, unit.deviceSnId)).toContainText("Payment Due");
  await expect(page.getByRole("button", { name: /^Pay for/ })).toHaveCount(0);
  await page.unrouteAll({ behavior: "ignoreErrors" });

  await openSupportView(page, server);
  await page.goto(`/configureDevices?deviceSnId=${unit.deviceSnId}`);
  const row = deviceOf(page, unit.deviceSnId);
  await expect(switchOf(row)).toBeDisabled();
  await expect(page.getByRole("button", { name: /^(Edit|Delete|Check) / })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Add device" })).toHaveCount(0);
});

test("a device whose service has ended is paid for from the list", async ({ page, server }) => {
  const unit = await addUnit(server);
  await reportOnce(server, unit, { AI1: 50 });
  await showPaymentsDue(page);
  await openAt(page, server, unit);
  await page.getByRole("button", { name: `Pay for ${unit.name}` }).click();
  await expect(dialogOf(page, "Purchase network services")).toBeVisible();
});
