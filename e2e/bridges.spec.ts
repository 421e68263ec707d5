import { check, errorsOf } from "./accessibility.ts";
import { expect, test } from "./harness.ts";
import { injectSession } from "./people.ts";
import { dialogOf, rowsOf } from "./screen.ts";
import { startServer } from "./server-process.ts";
import { addUnit, reportOnce } from "./unit.ts";

test.describe.configure({ timeout: 240_000 });

test("a bridge is added, says what is wrong with its broker and how much waits, is changed, tested and deleted", async ({
  page,
}) => {
  const server = await startServer({ demo: true, env: { WEBHOOK_PRIVATE: "1" } });
  try {
    const complaints = errorsOf(page);
    const unit = await addUnit(server);
    await injectSession(page, server);
    await page.goto(`${server.baseURL}/configureBridges`);
    await expect(page.getByText("There are no bridges: values and alerts stay here")).toBeVisible();
    await page.getByRole("button", { name: "Add bridge" }).click();
    const dialog = dialogOf(page, "Add bridge");
    await dialog.getByRole("button", { name: "Confirm" }).click();
    await expect(dialog).toContainText("Name of the bridge cannot be blank");
    await expect(dialog).toContainText("Enter an address such as mqtts://broker.example.com:8883");
    await dialog.getByLabel("Name", { exact: true }).fill("Historian");
    await dialog.getByLabel("Broker's address").fill("mqtt://127.0.0.1:9");
    await dialog.getByLabel("Topic prefix").fill("acme/plant");
    await check(page, "add bridge", "[role=dialog]");
    await dialog.getByRole("button", { name: "Confirm" }).click();
    const row = rowsOf(page, "Bridges", "Historian");
    await expect(row).toBeVisible();
    await reportOnce(server, unit, { AI1: 5 });
    await expect(async () => {
      await page.getByRole("button", { name: "Refresh" }).click();
      await expect(row).toContainText("Nothing listens at the address", { timeout: 1_000 });
      await expect(row.getByTitle(/^The oldest waits since/)).toContainText(/[1-9]/, { timeout: 1_000 });
    }).toPass();
    await check(page, "bridges");
    // This server is a broker that admits a device by its token.
    await page.getByRole("button", { name: "Edit Historian" }).click();
    const edit = dialogOf(page, "Edit bridge");
    await edit.getByLabel("Broker's address").fill(`mqtt://127.0.0.1:${server.mqttPort}`);
    await edit.getByLabel("User", { exact: true }).fill(unit.accessToken);
    await edit.getByRole("button", { name: "Confirm" }).click();
    await page.getByRole("button", { name: "Test the connection of Historian" }).click();
    await expect(page.getByText("The broker accepts the connection")).toBeVisible();
    await page.getByRole("button", { name: "Delete Historian" }).click();
    await dialogOf(page, "Delete bridge").getByRole("button", { name: "Delete" }).click();
    await expect(page.getByText("There are no bridges: values and alerts stay here")).toBeVisible();
    expect(complaints).toEqual([]);
  } finally {
    await server.stop();
  }
});
