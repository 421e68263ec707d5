import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { provisionPath } from "@telltale/contract/device-api";
import { Model } from "@telltale/contract/domains/devices";
import { addDeviceLink } from "@telltale/contract/domains/fleet/add-device-link";
import { provisioning } from "@telltale/contract/domains/fleet/provisioning";
import { check, errorsOf } from "./accessibility.ts";
import { expect, test } from "./harness.ts";
import { clientOf, emailOf, openSignedIn, password } from "./people.ts";
import { deviceRow, dialogOf, rowsOf } from "./screen.ts";
import type { RunningServer } from "./server-process.ts";
import { addUnit, freshName } from "./unit.ts";

const register = async ({ baseURL }: RunningServer, request: object) => {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${baseURL}${provisionPath}`, { method: "POST", headers, body: JSON.stringify(request) });
  return answer.json();
};

/** Fills the dialog of a new key in, and returns what devices send with it. */
const makeKey = async (page: Page, name: string): Promise<object> => {
  await page.getByRole("button", { name: "Add key" }).click();
  const dialog = dialogOf(page, "Add provisioning key");
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await expect(dialog).toContainText("Key name cannot be blank");
  await dialog.getByLabel("Key name").fill(name);
  await dialog.getByLabel("Most devices").fill("1");
  await check(page, "add provisioning key", "[role=dialog]");
  await dialog.getByRole("button", { name: "Confirm" }).click();
  const shown = dialogOf(page, "Key and secret");
  await check(page, "key and secret", "[role=dialog]");
  const request = JSON.parse((await shown.locator("code").textContent()) ?? "");
  await shown.getByRole("button", { name: "Close" }).last().click();
  return request;
};

test("a device registers itself with a key, which counts its uses and is revoked", async ({ page, server }) => {
  const complaints = errorsOf(page);
  await openSignedIn(page, server);
  await page.goto("/configureProvisioning");
  const name = freshName("Line");
  const request = await makeKey(page, name);
  const row = rowsOf(page, "Provisioning keys", name);
  await expect(row).toContainText("0 of 1");
  const serial = freshName("SN");
  expect(await register(server, { ...request, deviceName: serial })).toMatchObject({ status: "SUCCESS" });
  expect(await register(server, { ...request, deviceName: "another" })).toMatchObject({ status: "FAILURE" });
  await page.getByRole("button", { name: "Refresh" }).click();
  await expect(row).toContainText("Used up");
  await expect(row).toContainText("1 of 1");
  await expect(row).toContainText("has added all of its devices");
  await check(page, "provisioning keys");
  await page.getByRole("button", { name: `Revoke ${name}` }).click();
  await dialogOf(page, "Revoke provisioning key").getByRole("button", { name: "Revoke" }).click();
  await expect(row).toContainText("Revoked");
  expect(await register(server, { ...request, deviceName: serial })).toMatchObject({
    errorMsg: "This provisioning key has been revoked",
  });
  await page.goto(`/configureDevices?deviceName=${encodeURIComponent(serial)}`);
  await expect(page.getByRole("cell", { name: serial, exact: true })).toBeVisible();
  expect(complaints).toEqual([]);
});

test("a device that is expected is listed until it registers itself, and one that will not come is deleted", async ({
  page,
  server,
}) => {
  const complaints = errorsOf(page);
  const owner = await clientOf(server);
  const [coming, lost] = [freshName("SN"), freshName("SN")];
  for (const serial of [coming, lost])
    await owner(provisioning.expect, { serial, deviceName: `Pump ${serial}`, model: Model.analog });
  await openSignedIn(page, server);
  await page.goto("/configureProvisioning");
  const [row, other] = [rowsOf(page, "Expected devices", coming), rowsOf(page, "Expected devices", lost)];
  await expect(row).toContainText(`Pump ${coming}`);
  await expect(row).toContainText("AIS-420-16");
  await check(page, "expected devices");
  await page.getByRole("button", { name: `Delete Pump ${lost}` }).click();
  const question = dialogOf(page, "Delete device");
  await expect(question).toContainText(`Pump ${lost}, ${lost}, is no longer expected`);
  await question.getByRole("button", { name: "Delete" }).click();
  await expect(other).toHaveCount(0);
  const expireTime = new Date(Date.now() + 86_400_000);
  const key = { keyName: freshName("Line"), model: Model.analog, deviceLimit: 1, expireTime };
  const { provisionKey, secret } = await owner(provisioning.add, key);
  const request = { deviceName: coming, provisionDeviceKey: provisionKey, provisionDeviceSecret: secret };
  expect(await register(server, request)).toMatchObject({ status: "SUCCESS" });
  await page.getByRole("button", { name: "Refresh" }).click();
  await expect(row).toHaveCount(0);
  expect(complaints).toEqual([]);
});

/** The ID of a unit that no plant has, whose label is scanned. */
const aFreeUnit = async (server: RunningServer): Promise<string> => {
  const [unit] = await server.telltale<{ deviceSnId: string }[]>("devices", "add", "--model", "AIS");
  return unit?.deviceSnId ?? "";
};

test("a label's link opens Add device filled in, through the sign-in", async ({ openElsewhere, server }) => {
  const [deviceSnId, page] = [await aFreeUnit(server), await openElsewhere()];
  await page.goto(addDeviceLink(server.baseURL, deviceSnId));
  await expect(page).toHaveURL(/\/login$/);
  await page.getByLabel("Email").fill(emailOf("owner"));
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Log IN" }).click();
  const dialog = dialogOf(page, "Add device");
  await expect(dialog.getByLabel("Device ID")).toHaveValue(deviceSnId);
  await dialog.getByRole("button", { name: "Next" }).click();
  await dialog.getByRole("button", { name: "Next" }).click();
  await dialog.getByLabel("Device name").fill(freshName("Scanned"));
  await dialog.getByRole("button", { name: "Confirm to create" }).click();
  await expect(page).toHaveURL(/\/configureDevices$/);
  await expect(await deviceRow(page, deviceSnId)).toContainText("Scanned");
});

test("a label's link fills the registration in for someone without an account", async ({ openElsewhere, server }) => {
  const [deviceSnId, page] = [await aFreeUnit(server), await openElsewhere()];
  await page.goto(addDeviceLink(server.baseURL, deviceSnId));
  await page.getByRole("link", { name: "Register" }).click();
  await expect(page.getByLabel("Device ID")).toHaveValue(deviceSnId);
});

test("an operator prints labels of units that no plant has", async ({ server }, run) => {
  const deviceSnId = await aFreeUnit(server);
  const file = run.outputPath("labels.pdf");
  expect(await server.telltale("devices", "labels", file, deviceSnId, "--sheet", "48", "--skip", "3")).toEqual([
    { deviceSnId, deviceSn: "AIS-420-16" },
  ]);
  expect((await readFile(file)).subarray(0, 5).toString()).toBe("%PDF-");
});

test("labels of all devices or of one are saved as PDF", async ({ page, server }) => {
  const complaints = errorsOf(page);
  const unit = await addUnit(server);
  await openSignedIn(page, server);
  await page.goto("/configureDevices");
  await page.getByRole("button", { name: "Labels" }).click();
  const dialog = dialogOf(page, "Labels");
  await dialog.getByLabel("Used labels").fill("99");
  await dialog.getByRole("button", { name: "Save PDF" }).click();
  await expect(dialog).toContainText("Used labels");
  await check(page, "labels", "[role=dialog]");
  await dialog.getByLabel("Used labels").fill("2");
  const saved = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Save PDF" }).click();
  const pdf = await readFile(await (await saved).path());
  expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
  await expect(dialog).toBeHidden();
  await (await deviceRow(page, unit.deviceSnId)).getByRole("button", { name: `Label of ${unit.name}` }).click();
  await expect(dialog).toContainText(`${unit.name} (${unit.deviceSnId})`);
  const one = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Save PDF" }).click();
  expect((await one).suggestedFilename()).toBe("device-labels.pdf");
  expect(complaints).toEqual([]);
});
