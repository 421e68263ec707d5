import type { Page } from "@playwright/test";
import { Code } from "@telltale/contract/call/codes";
import { devices } from "@telltale/contract/domains/devices";
import { expect, test } from "./harness.ts";
import { clientOf, emailOf, openSignedIn } from "./people.ts";
import { deviceRow, dialogOf, tileOf } from "./screen.ts";
import type { RunningServer } from "./server-process.ts";
import { addUnit, freshName, idsOf, reportOnce, showUnit, type Unit } from "./unit.ts";

/** An unclaimed unit. */
const unclaimedUnit = async (server: RunningServer, ...options: string[]): Promise<Unit> => {
  const [made] = await server.telltale<Omit<Unit, "name">[]>("devices", "add", ...options);
  if (!made) throw new Error("No unit was made");
  return { ...made, name: freshName("Dryer") };
};

const openDialog = async (page: Page) => {
  await page.getByRole("button", { name: "Add device" }).click();
  const dialog = dialogOf(page, "Add device");
  await expect(dialog.getByLabel("Device ID")).toBeVisible();
  return { dialog, next: dialog.getByRole("button", { name: "Next" }) };
};

test("a unit is added by its device ID in three steps, and reports to the open dashboard", async ({ page, server }) => {
  const unit = await unclaimedUnit(server, "--model", "AIS");
  await openSignedIn(page, server);
  const { dialog, next } = await openDialog(page);
  await dialog.getByLabel("Device ID").fill(unit.deviceSnId);
  await next.click();
  await expect(dialog).toContainText("Power up the unit.");
  await expect(dialog).toContainText("Set up its network through the mobile app.");
  await next.click();
  await expect(dialog.getByLabel("Device", { exact: true })).toHaveValue(unit.deviceSn);
  await expect(dialog.getByLabel("Device id", { exact: true })).toHaveValue(unit.deviceSnId);
  await dialog.getByRole("button", { name: "Confirm to create" }).click();
  await expect(dialog).toContainText("DEVICE NAME Cannot be blank");
  await dialog.getByLabel("Device name").fill(unit.name);
  await dialog.getByRole("button", { name: "Confirm to create" }).click();

  await expect(page.getByText("Create successful")).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(await deviceRow(page, unit.deviceSnId)).toContainText("Inactive");
  await showUnit(server, emailOf("owner"), unit.name);
  await reportOnce(server, unit, { AI1: 7 });
  await expect(tileOf(page, "AI1", unit.name)).toContainText(/7\.00\s*bar/);
  await expect(await deviceRow(page, unit.deviceSnId)).toContainText("Normal");
});

test("a sub-device is added below its main device", async ({ page, server }) => {
  const master = await addUnit(server, { name: freshName("Master"), model: "MIX" });
  const unit = await unclaimedUnit(server, "--model", "VBS", "--sub");
  await openSignedIn(page, server);
  const { dialog, next } = await openDialog(page);
  await dialog.getByLabel("Device ID").fill(unit.deviceSnId);
  await next.click();
  await next.click();
  await dialog.getByLabel("Device name").fill(unit.name);
  await dialog.getByLabel("Parent device").first().click();
  await page.getByRole("option", { name: master.name }).click();
  await dialog.getByRole("button", { name: "Confirm to create" }).click();
  await expect(page.getByText("Create successful")).toBeVisible();
  await (await deviceRow(page, master.deviceSnId)).getByRole("button", { expanded: false }).click();
  await expect(await deviceRow(page, unit.deviceSnId)).toContainText(master.name);
  await expect(idsOf(await clientOf(server), unit.deviceSnId)).resolves.toMatchObject({ channels: {} });
});

test("a new admin account is opened with its own unit, and the user continues there", async ({ page, server }) => {
  const unit = await unclaimedUnit(server, "--model", "AIS");
  await openSignedIn(page, server, "installer");
  await page.getByRole("button", { name: emailOf("installer") }).click();
  await page.getByRole("menuitem", { name: "Create a new admin account" }).click();
  const dialog = dialogOf(page, "Create a new admin account");
  await dialog.getByLabel("Device ID").fill(unit.deviceSnId);
  await dialog.getByRole("button", { name: "Next" }).click();
  await dialog.getByRole("button", { name: "Next" }).click();
  await dialog.getByLabel("Device name").fill(unit.name);
  await dialog.getByRole("button", { name: "Confirm to create" }).click();
  await expect(page.getByText("Create successful"), "after the page has been loaded in the account").toBeVisible();
  await expect(page.getByRole("banner")).toContainText(`Owner · ${unit.deviceSn}`);
  await expect(await deviceRow(page, unit.deviceSnId)).toContainText(unit.name);
  await expect(page.getByRole("row")).toHaveCount(2);
  await page.reload();
  await expect(await deviceRow(page, unit.deviceSnId)).toContainText(unit.name);
  await expect(page.getByText("Create successful"), "told once").toHaveCount(0);
});

test("the dialog requires a device ID, and shows its error", async ({ page, server }) => {
  const claimed = await addUnit(server);
  await openSignedIn(page, server);
  const { dialog, next } = await openDialog(page);
  await next.click();
  await expect(dialog).toContainText("Device ID cannot be blank");
  await dialog.getByLabel("Device ID").fill(claimed.deviceSnId);
  await next.click();
  await expect(dialog, "already claimed").toContainText(/already/i);
  await dialog.getByLabel("Device ID").fill("7C9EBD000000");
  const isAsked = page.waitForResponse((response) => response.url().includes(devices.lookUp.path));
  await next.click();
  expect(await (await isAsked).json()).toMatchObject({ code: Code.notFound });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();
});
