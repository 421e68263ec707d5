import { expect, test } from "./harness.ts";
import { injectSession } from "./people.ts";
import { connectRpcUnit } from "./rpc-unit.ts";
import { dialogOf, rowsOf } from "./screen.ts";
import { addUnit, freshName } from "./unit.ts";

test("a third-party device is added by its address, and its master reports whether it answers", async ({
  page,
  server,
}) => {
  const master = await addUnit(server, { model: "MIX", name: freshName("Line") });
  let isThere = true;
  const { commands, client } = await connectRpcUnit(server, master, () =>
    isThere ? { success: true } : { success: false, error: "Timeout" },
  );
  await injectSession(page, server);
  await page.goto("/configureDevices");
  await page.getByRole("button", { name: "Add device" }).click();
  await page.getByRole("button", { name: "Add a third-party device instead" }).click();
  const dialog = dialogOf(page, "Add third-party device");
  await expect(dialog.getByLabel("P/N")).toHaveValue("MPA2-240-32");
  const create = dialog.getByRole("button", { name: "Confirm to create" });
  await create.click();
  for (const message of ["Address cannot be blank", "DEVICE NAME Cannot be blank", "Please select a Master device"])
    await expect(dialog).toContainText(message);
  await dialog.getByLabel("Address").fill("248");
  await create.click();
  await expect(dialog).toContainText("Enter an address from 1 to 247");
  await dialog.getByLabel("Address").fill("7");
  const name = freshName("Drive");
  await dialog.getByLabel("Device name").fill(name);
  await dialog.getByRole("combobox", { name: "Master device" }).fill(master.name);
  await page.getByRole("option", { name: master.name }).click();
  await create.click();
  await expect(page.getByText("Add success")).toBeVisible();
  const check = dialogOf(page, `Check ${name}`);
  await expect(check.getByRole("status")).toHaveText(`${name} answers at address 7`);
  expect(commands).toEqual([
    { method: "modbusCheck", params: expect.objectContaining({ address: 7, baudRate: 9600 }) },
  ]);
  isThere = false;
  await check.getByRole("button", { name: "Check again" }).click();
  await expect(check.getByRole("status")).toContainText(`${name} does not answer at address 7`);
  await client.endAsync();
  await check.getByRole("button", { name: "Check again" }).click();
  await expect(check.getByRole("status")).toContainText(`${master.name} is not connected`);
  await check.getByRole("button", { name: "Close" }).last().click();

  const row = rowsOf(page, "Devices", name);
  await page.goto(`/configureDevices?deviceName=${name}`);
  await expect(row).toContainText(master.name);
  await page.getByRole("button", { name: `Check ${name}` }).click();
  await expect(check.getByRole("status")).toContainText(`${master.name} is not connected`);
  await check.getByRole("button", { name: "Close" }).last().click();
  await row.getByRole("link").click();
  await expect(page).toHaveURL(/\/configureDevicesAdd\?deviceId=\d+&typeId=6&edit=no$/);
});
