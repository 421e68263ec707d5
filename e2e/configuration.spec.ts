import type { Locator, Page } from "@playwright/test";
import { Code, Message } from "@telltale/contract/call/codes";
import { channels } from "@telltale/contract/domains/channels";
import { devices, Model } from "@telltale/contract/domains/devices";
import { modbus } from "@telltale/contract/domains/modbus";
import { expect, test } from "./harness.ts";
import { clientOf, emailOf, injectSession } from "./people.ts";
import { dialogOf, rowsOf } from "./screen.ts";
import type { RunningServer } from "./server-process.ts";
import { addUnit, connectUnit, idsOf, publish, type Unit } from "./unit.ts";

/** Devices of the demonstration. */
const pumpHouse = "7C9EBD4A3F12";
const pumpDrive = "7C9EBD4A6D71";

const title = (page: Page): Locator => page.getByRole("heading", { level: 1 });
const registerRow = (page: Page, table: string, keyword: string): Locator =>
  page
    .getByRole("table", { name: table, exact: true })
    .getByRole("row")
    .filter({ has: page.getByRole("rowheader", { name: keyword, exact: true }) });

/** A motor controller without a simulator, behind its own master. */
const addDrive = async (server: RunningServer): Promise<Unit> =>
  addUnit(server, { model: "MPA2", parent: await addUnit(server) });

const openConfiguration = async (page: Page, server: RunningServer, deviceSnId: string, typeId: number) => {
  const ids = await idsOf(await clientOf(server), deviceSnId);
  await page.goto(`/configureDevicesAdd?deviceId=${ids.deviceId}&typeId=${typeId}&edit=no`);
  return ids;
};

test("in DEVICES a motor controller opens its configuration, by click, Enter and its ID; elsewhere its own screen", {
  tag: "@phone",
}, async ({ page, server }) => {
  await injectSession(page, server);
  for (const open of [
    (row: Locator) => row.getByText("Feed pump drive").click(),
    (row: Locator) => row.press("Enter"),
    (row: Locator) => row.getByRole("link", { name: pumpDrive }).click(),
  ]) {
    await page.goto(`/devices?deviceSnId=${pumpDrive}`);
    await open(rowsOf(page, "Devices", "Feed pump drive").last());
    await expect(page).toHaveURL(/\/configureDevicesAdd\?deviceId=\d+&typeId=6&edit=no$/);
    await expect(title(page)).toContainText("DEVICES / MPA2-240-32");
  }
  const { deviceId } = await idsOf(await clientOf(server), pumpDrive);
  await page.goto("/");
  const row = rowsOf(page, "Devices", "Pump house 2").first();
  await row.getByRole("button", { name: "Rows below" }).click();
  await expect(page.getByRole("link", { name: pumpDrive })).toHaveAttribute(
    "href",
    `/devicesDetail?deviceId=${deviceId}`,
  );
});

test("the configuration shows channels, state and setpoints in their formats; a register links to its history", {
  tag: "@phone",
}, async ({ page, server }) => {
  await injectSession(page, server);
  await openConfiguration(page, server, pumpDrive, Model.motorController);
  await expect(page.getByRole("term").filter({ hasText: "PARENT" }).locator("xpath=following-sibling::dd")).toHaveText(
    "Pump house 2",
  );
  // The drives were added last, so their history is written last.
  await expect(registerRow(page, "CURRENT", "I A")).toContainText(/\d+\.\d\s*A/, { timeout: 120_000 });
  await page.getByRole("tab", { name: "CURRENT" }).press("ArrowRight");
  await expect(registerRow(page, "POWER", "Power Factor")).toContainText(/\d\.\d\d/);
  await page.getByRole("tab", { name: "OPERATION" }).click();
  await expect(registerRow(page, "OPERATION", "Run Time")).toContainText(/\d+ hrs \d+ min/);
  await expect(registerRow(page, "OPERATION", "Start Mode")).toContainText("AUTO");
  await expect(registerRow(page, "Status", "Fault")).toContainText("0-No");
  await expect(registerRow(page, "Status", "Locked Rotor")).toContainText("NO");
  await expect(registerRow(page, "Setpoints", "Frequency Setting")).toContainText(/50\s*Hz/);
  await expect(registerRow(page, "Setpoints", "Under Current Setpoint")).toContainText(/17\.00\s*A/);
  await page.getByRole("link", { name: "Under Current Setpoint" }).click();
  await expect(page).toHaveURL(/\/devicesDetail\?deviceId=\d+&deviceChannelId=\d+/);
  await expect(page.getByRole("heading", { level: 2, name: "Under Current Setpoint" })).toBeVisible();
});

test("a motor controller's reports are shown live, including an alarm", async ({ page, server }) => {
  const drive = await addDrive(server);
  await injectSession(page, server);
  await openConfiguration(page, server, drive.deviceSnId, Model.motorController);
  await expect(registerRow(page, "CURRENT", "I A")).toContainText("N/A");
  const device = await connectUnit(server, drive);
  await publish(device, { "I A": 19.72, "Locked Rotor": 1, "Rated Current": 22 });
  await expect(registerRow(page, "CURRENT", "I A")).toContainText(/19\.7\s*A/);
  await expect(registerRow(page, "Setpoints", "Rated Current")).toContainText(/22\.00\s*A/);
  await expect(registerRow(page, "Status", "Locked Rotor")).toContainText(/Alert\s*YES/);
  await publish(device, { "I A": 21.04 });
  await expect(registerRow(page, "CURRENT", "I A")).toContainText(/21\.0\s*A/);
  await device.endAsync();
});

test("any other device shows its head and its channels' settings by type, whatever type the address says", async ({
  page,
  server,
}) => {
  await injectSession(page, server);
  await openConfiguration(page, server, pumpHouse, Model.motorController);
  await expect(title(page)).toContainText("MIX-420-10");
  await expect(page.getByRole("tab")).toHaveText(["AI", "DI", "DO"]);
  const setting = (channel: string, name: string) =>
    page
      .getByRole("region", { name: channel, exact: true })
      .getByRole("term")
      .filter({ hasText: new RegExp(`^${name}$`) })
      .locator("xpath=following-sibling::dd");
  await expect(setting("Discharge pressure", "Higher Alarm")).toHaveText("8 bar");
  await page.getByRole("tab", { name: "DO" }).click();
  await expect(setting("Standby fan relay", "Souce")).toHaveText("Wet well gas High");
  await page.getByRole("link", { name: "Beacon" }).click();
  await expect(page.getByRole("heading", { level: 2, name: "Beacon" })).toBeVisible();
});

test("a digital output's period shows Mode, Control Contact and Souce, and a pop-up lists the sources", {
  tag: "@phone",
}, async ({ page, server }) => {
  await injectSession(page, server);
  const { deviceId, channels: ids } = await idsOf(await clientOf(server), pumpHouse);
  await page.goto(`/devicesDetail?deviceId=${deviceId}&deviceChannelId=${ids.DO1}`);
  const setting = (name: string) =>
    page.getByRole("term").filter({ hasText: name }).locator("xpath=following-sibling::dd");
  await expect(setting("Mode")).toHaveText("Channel");
  await expect(setting("Control Contact")).toHaveText("Normally open");
  await expect(setting("Souce")).toContainText("Wet well gas High");
  const open = page.getByRole("button", { name: "Sources" });
  await open.click();
  const dialog = dialogOf(page, "Sources");
  const source = (name: string) => dialog.getByRole("row").filter({ hasText: name });
  await expect(source("Wet well gas High")).toContainText("In use");
  await expect(source("Wet well gas Low")).toContainText("No such alarm set");
  await expect(source("Discharge pressure Low")).toContainText("Available");
  await page.keyboard.press("Escape");
  await expect(open).toBeFocused();

  await page.getByRole("radiogroup", { name: "Settings periods" }).getByRole("radio").first().click();
  await expect(setting("Mode"), "the earlier period has its own").toHaveText("ALL");
  await page.goto(`/devicesDetail?deviceId=${deviceId}&deviceChannelId=${ids.AI1}`);
  await expect(page.getByRole("heading", { level: 2, name: "Discharge pressure" })).toBeVisible();
  await expect(open).toHaveCount(0);
});

test("a viewer has no configuration, neither by address nor by call; an installer has; a foreign device is not found", async ({
  page,
  server,
}) => {
  const { deviceId } = await idsOf(await clientOf(server), pumpDrive);
  const address = `/configureDevicesAdd?deviceId=${deviceId}&typeId=6&edit=no`;
  await injectSession(page, server, "viewer");
  await page.goto(address);
  await expect(page).toHaveURL("/");
  const viewer = await clientOf(server, emailOf("viewer"));
  for (const call of [devices.header, channels.info, modbus.channelList, modbus.setpoints, modbus.status])
    await expect(viewer(call, { deviceId })).rejects.toMatchObject({ code: Code.notAllowed });
  await injectSession(page, server, "installer");
  await page.goto(address);
  await expect(title(page)).toContainText("MPA2-240-32");
  await page.goto("/configureDevicesAdd?deviceId=999999&typeId=6&edit=no");
  await expect(page.getByRole("main")).toContainText(Message.notFound);
  await page.goto("/configureDevicesAdd");
  await expect(title(page)).toHaveText("Page not found");
});
