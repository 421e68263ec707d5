import type { Locator, Page } from "@playwright/test";
import type { Client } from "@telltale/contract/call/client";
import { Code, Message } from "@telltale/contract/call/codes";
import { alarms } from "@telltale/contract/domains/alarms";
import { AlertClass, AlertType } from "@telltale/contract/domains/alerts";
import { contacts } from "@telltale/contract/domains/people/contacts";
import { refuseCall, tryAgain } from "./answers.ts";
import { expect, test } from "./harness.ts";
import { freshEmail } from "./mailing.ts";
import { clientOf, emailOf, injectSession, openSupportView } from "./people.ts";
import { dialogOf, filterTags, formOf, openFilter, rowsOf } from "./screen.ts";
import type { RunningServer } from "./server-process.ts";
import { addUnit, connectUnit, idsOf, publish, type Unit } from "./unit.ts";

// Some of them involve a device and two users.
test.describe.configure({ timeout: 180_000 });

const customPage = "/configureAlarm?tab=custom";
const customRow = (page: Page, text: string): Locator => rowsOf(page, "Custom alerts", text);
const systemRow = (page: Page, text: string): Locator => rowsOf(page, "Threshold alerts and notifications", text);
const notice = (page: Page, sentence: string): Locator => page.getByText(sentence, { exact: true });

/** The alert log entry raised by a custom alert on this device. */
const raisedOf = (page: Page, unit: Unit): Locator => rowsOf(page, "Alerts", unit.name).filter({ hasText: "Custom" });

/** Adds a contact to the plant. Returns its address. */
const addContact = async (owner: Client): Promise<{ email: string; notifyUserId: number }> => {
  const email = freshEmail();
  const { notifyUserId } = await owner(contacts.add, {
    type: 1,
    firstName: "Nora",
    lastName: "Quist",
    contactInfo: email,
  });
  return { email, notifyUserId };
};

/** A custom alert on a new device's AI1 (0 to 100 bar), High at 70. */
const addCustom = async (server: RunningServer, more: object = {}) => {
  const owner = await clientOf(server);
  const unit = await addUnit(server);
  const { deviceId, channels } = await idsOf(owner, unit.deviceSnId);
  const { email, notifyUserId } = await addContact(owner);
  const watched = { deviceId, deviceChannelId: channels.AI1, type: AlertType.high, alarmValue: 70 };
  const rule = { alarmName: "Boiler hot", alarmClass: AlertClass.custom, ...watched, alarmHysteresis: 1 };
  const input = { ...rule, notifyUserIds: [notifyUserId], ...more };
  const { alarmId } = await owner(alarms.add, input);
  return { owner, unit, email, alarmId, input };
};

const chooseIn = async (page: Page, field: string, option: string | RegExp): Promise<void> => {
  await page.getByRole("combobox", { name: field }).click();
  await page.getByRole("option", { name: option }).click();
};

/** Selects the device by its name. */
const chooseDevice = async (page: Page, unit: Unit): Promise<void> => {
  await page.getByRole("combobox", { name: "Device" }).fill(unit.name);
  await page.getByRole("option", { name: new RegExp(unit.deviceSnId) }).click();
};

test("a custom alert evaluates the next reading, a change clears what no longer applies, and deleting asks first", async ({
  page,
  server,
}) => {
  const owner = await clientOf(server);
  const unit = await addUnit(server);
  const { email } = await addContact(owner);
  await injectSession(page, server);
  await page.goto(customPage);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("CONFIGURATION-ALERT");
  await page.getByRole("button", { name: "Add alert" }).click();
  const add = formOf(page, "Add alert");
  await expect(add.getByLabel("Alert name")).toBeFocused();
  await add.getByLabel("Alert name").fill("Boiler much too hot");
  await expect(add.getByLabel("Alert name"), "has 16 characters at most").toHaveValue("Boiler much too ");
  await add.getByLabel("Alert name").fill("Boiler hot");
  await chooseDevice(page, unit);
  await chooseIn(page, "Channel", "AI1");
  await expect(add, "says what the value may be").toContainText("0 to 100 bar");
  await chooseIn(page, "Threshold type", "High");
  await add.getByLabel("Value", { exact: true }).fill("60");
  await add.getByLabel("Hysteresis").fill("5");
  await add.getByLabel("Search by name, email or phone").fill(email);
  await add.getByRole("checkbox", { name: email }).check();
  await expect(add).toContainText("not notified until they are Verified");
  await add.getByRole("button", { name: "Save" }).click();
  await expect(notice(page, "Add success")).toBeVisible();
  await expect(customRow(page, unit.name)).toContainText(/60\s*bar/);

  const device = await connectUnit(server, unit);
  await publish(device, { AI1: 59 });
  await publish(device, { AI1: 65 });
  await page.goto("/alarms");
  await expect(raisedOf(page, unit)).toContainText("Triggered");
  await expect(raisedOf(page, unit)).toContainText("65.00 bar");

  await page.goto(customPage);
  await customRow(page, unit.name).getByRole("button", { name: "Edit Boiler hot" }).click();
  const edit = formOf(page, "Edit alert");
  await expect(edit.getByRole("combobox", { name: "Channel" })).toHaveValue("AI1");
  await expect(edit.getByRole("checkbox", { name: email })).toBeChecked();
  await edit.getByLabel("Value", { exact: true }).fill("75");
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(notice(page, "Modify successful")).toBeVisible();
  await page.goto("/alarms");
  await expect(raisedOf(page, unit), "65 is below the new limit").toContainText("Cleared");
  await publish(device, { AI1: 76 });
  await device.endAsync();
  await expect(raisedOf(page, unit).filter({ hasText: "Triggered" })).toContainText("76.00 bar");

  await page.goto(customPage);
  await customRow(page, unit.name).getByRole("button", { name: "Delete Boiler hot" }).click();
  const question = dialogOf(page, "Delete alert");
  await expect(question).toContainText("Are you sure that you want to delete this Alert?");
  await question.getByRole("button", { name: "Delete" }).click();
  await expect(notice(page, "Delete successful")).toBeVisible();
  await expect(customRow(page, unit.name)).toHaveCount(0);
  await page.goto("/alarms");
  await expect(raisedOf(page, unit), "stay in the log").toHaveCount(2);
  await expect(raisedOf(page, unit).filter({ hasText: "Cleared" })).toHaveCount(2);
  await page.goto("/audit");
  await expect(rowsOf(page, "Audit log", "Alert changed").first()).toContainText("60 → 75");
  await expect(rowsOf(page, "Audit log", "Alert deleted").first()).toContainText("Boiler hot");
});

test("the form reports missing fields, and validates value and hysteresis against the channel's range", async ({
  page,
  server,
}) => {
  const unit = await addUnit(server);
  await injectSession(page, server);
  await page.goto("/configureAlarm");
  await page.getByRole("button", { name: "Add alert" }).click();
  const add = formOf(page, "Add alert");
  const save = add.getByRole("button", { name: "Save" });
  const expectMessage = (message: string) => expect(add.getByText(message, { exact: true })).toBeVisible();
  await save.click();
  for (const message of ["Alert name cannot be blank", "Please enter an Alert type", "Please select a Device"])
    await expectMessage(message);
  await expect(add.getByLabel("Alert name")).toBeFocused();
  await chooseIn(page, "Alert type", "Custom alert");
  await save.click();
  for (const message of [
    "Please select a Channel",
    "Please select a threshold type",
    "Enter alert value cannot be blank",
    "Enter alert hysteresis cannot be blank",
    "No email or phone number selected",
  ])
    await expectMessage(message);
  await chooseDevice(page, unit);
  await chooseIn(page, "Channel", "AI1");
  await chooseIn(page, "Threshold type", "High");
  await expect(add.getByText("Please select a Channel"), "is taken back").toHaveCount(0);
  const [value, hysteresis] = [add.getByLabel("Value", { exact: true }), add.getByLabel("Hysteresis")];
  for (const wrong of ["100.1", "-1", "much"]) {
    await value.fill(wrong);
    await expect(add.getByText("Enter the correct alarm value")).toHaveCount(0);
    await save.click();
    await expectMessage("Enter the correct alarm value");
  }
  await value.fill("70");
  await hysteresis.fill("70.5");
  await save.click();
  await expectMessage("With this hysteresis the alert would never clear. Enter at most 70");
  await hysteresis.fill("-1");
  await save.click();
  await expectMessage("The hysteresis cannot be negative");
});

test("limit and notification alerts have only a device, and only the owner creates them", async ({ page, server }) => {
  const unit = await addUnit(server);
  await injectSession(page, server);
  await page.goto(customPage);
  await page.getByRole("button", { name: "Add alert" }).click();
  const add = formOf(page, "Add alert");
  await expect(add.getByRole("combobox", { name: "Alert type" })).toHaveValue("Custom alert");
  await chooseIn(page, "Alert type", "Threshold alert");
  for (const field of ["Channel", "Threshold type", "Value", "Hysteresis"])
    await expect(add.getByLabel(field, { exact: true }), field).toHaveCount(0);
  await add.getByLabel("Alert name").fill("Boiler limits");
  await chooseDevice(page, unit);
  await add.getByRole("button", { name: "Save" }).click();
  await expect(notice(page, "Add success")).toBeVisible();
  await expect(page.getByRole("tab", { name: "Threshold alert/notification" }), "where it is").toHaveAttribute(
    "aria-selected",
    "true",
  );
  await expect(systemRow(page, unit.name)).toContainText("Threshold alert");
  await systemRow(page, unit.name).getByRole("button", { name: "Edit Boiler limits" }).click();
  await chooseIn(page, "Alert type", "Notification");
  await formOf(page, "Edit alert").getByRole("button", { name: "Save" }).click();
  await expect(systemRow(page, unit.name)).toContainText("Notification");

  await injectSession(page, server, "admin");
  await page.goto("/configureAlarm");
  await expect(systemRow(page, unit.name)).toBeVisible();
  await expect(page.getByRole("button", { name: /^(Edit|Delete) / })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Add alert" })).toHaveCount(0);
  await page.getByRole("tab", { name: "Custom alert" }).click();
  await page.getByRole("button", { name: "Add alert" }).click();
  await expect(add.getByRole("combobox", { name: "Channel" }), "a custom one").toBeVisible();
  await expect(add.getByRole("combobox", { name: "Alert type" })).toHaveCount(0);
  const admin = await clientOf(server, emailOf("admin"));
  const { data } = await admin(alarms.systemList, { deviceSnId: unit.deviceSnId });
  const refused = admin(alarms.remove, { alarmId: data[0]?.alarmId ?? 0 });
  await expect(refused).rejects.toMatchObject({ code: Code.notAllowed });
});

test("when two users change an alert, the second sees the conflict and saves both changes", async ({
  page,
  server,
}) => {
  const { owner, unit, alarmId, input } = await addCustom(server);
  await injectSession(page, server);
  await page.goto(customPage);
  await customRow(page, unit.name).getByRole("button", { name: "Edit Boiler hot" }).click();
  const edit = formOf(page, "Edit alert");
  await edit.getByLabel("Value", { exact: true }).fill("88");
  await owner(alarms.update, { ...input, alarmId, alarmName: "Boiler of others", version: 1 });
  const save = edit.getByRole("button", { name: "Save" });
  await save.click();
  await expect(notice(page, Message.changedMeanwhile)).toBeVisible();
  await expect(edit.getByLabel("Value", { exact: true }), "what was typed").toHaveValue("88");
  expect(await owner(alarms.info, { alarmId })).toMatchObject({ alarmName: "Boiler of others", alarmValue: 70 });
  const review = dialogOf(page, "Changed in the meantime");
  await expect(review).toContainText("Boiler hot Boiler of others");
  await expect(review.getByRole("radio"), "nothing that both have changed").toHaveCount(0);
  await review.getByRole("button", { name: "Save" }).click();
  await expect(edit).toHaveCount(0);
  const saved = { alarmName: "Boiler of others", alarmValue: 88, version: 3 };
  expect(await owner(alarms.info, { alarmId }), "neither is lost").toMatchObject(saved);
});

test("the lists keep their filters in the address, and show empty and error states", async ({ page, server }) => {
  const { unit } = await addCustom(server);
  await injectSession(page, server);
  await page.goto(customPage);
  const filter = await openFilter(page, "DEVICE ID");
  await filter.getByRole("textbox").fill(unit.deviceSnId);
  await page.keyboard.press("Enter");
  await expect(filterTags(page)).toContainText(unit.deviceSnId);
  await expect(customRow(page, "Wet well high")).toHaveCount(0);
  await page.reload();
  await expect(customRow(page, unit.name)).toBeVisible();
  await expect(customRow(page, "Wet well high")).toHaveCount(0);
  await page.goto(`${customPage}&name=nothing`);
  await expect(page.getByText("No custom alerts match these filters")).toBeVisible();
  await page.getByRole("main").getByRole("button", { name: "Clear all" }).first().click();
  await expect(customRow(page, "Wet well high")).toBeVisible();

  await page.getByRole("tab", { name: "Threshold alert/notification" }).click();
  const types = await openFilter(page, "ALERT");
  await types.getByRole("checkbox", { name: "Notification" }).check();
  await types.getByRole("button", { name: "Apply" }).click();
  await expect(systemRow(page, "Cold store lost")).toBeVisible();
  await expect(systemRow(page, "Pump house")).toHaveCount(0);

  await refuseCall(page, alarms.list, Code.internal, Message.serverBusy);
  await page.goto(customPage);
  const failure = page.getByRole("main").getByRole("alert").filter({ hasText: "Server is busy" });
  await expect(failure).toBeVisible();
  await tryAgain(page, alarms.list, failure);
  await expect(customRow(page, "Wet well high")).toBeVisible();
});

test("a support view can read alerts but not change them", async ({ page, server }) => {
  const { unit } = await addCustom(server);
  await openSupportView(page, server);
  await page.goto(customPage);
  await expect(customRow(page, unit.name)).toBeVisible();
  await expect(page.getByRole("button", { name: /Add alert|^(Edit|Delete) / })).toHaveCount(0);
  await expect(page.getByRole("columnheader", { name: "OPERATION" })).toHaveCount(0);
});
