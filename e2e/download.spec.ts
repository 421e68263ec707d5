import { readFile } from "node:fs/promises";
import AxeBuilder from "@axe-core/playwright";
import type { Download, Locator, Page } from "@playwright/test";
import { DataType, downloads, selectableDays } from "@telltale/contract/domains/readings/downloads";
import { expect, test } from "./harness.ts";
import { clientOf, emailOf, injectSession } from "./people.ts";
import { dialogOf, rowsOf } from "./screen.ts";
import type { RunningServer } from "./server-process.ts";
import { addUnit, connectUnit, publish } from "./unit.ts";
import { unzipped } from "./unzip.ts";

const device = "Pump house 2";

const openDialog = async (page: Page): Promise<Locator> => {
  await page.goto("/devices");
  await page.getByRole("button", { name: "Download data" }).click();
  const dialog = dialogOf(page, "DOWNLOAD TELLTALE DATA");
  await expect(dialog).toBeVisible();
  return dialog;
};

const choose = async (page: Page, dialog: Locator, field: string, option: string | RegExp) => {
  await dialog.getByRole("combobox", { name: field, exact: true }).click();
  await page.getByRole("option", { name: option }).first().click();
};

const submit = (dialog: Locator) => dialog.getByRole("button", { name: "Download data" }).click();

const sheetIn = async (download: Download) => {
  const parts = await unzipped(await readFile(await download.path()));
  return { rows: parts.get("xl/worksheets/sheet1.xml") ?? "", texts: parts.get("xl/sharedStrings.xml") ?? "" };
};

test("the dialog reports each missing field with its own message", async ({ page, server }) => {
  await injectSession(page, server);
  const dialog = await openDialog(page);
  await submit(dialog);
  await expect(dialog).toContainText("Choose Device");
  await expect(dialog).toContainText("Choose Data Type");

  await choose(page, dialog, "DATA", "Consolidated data");
  await expect(dialog.getByLabel("DATE RANGE")).toBeHidden();
  await submit(dialog);
  await expect(dialog).toContainText("Choose data package");

  await choose(page, dialog, "DATA", "Choose data");
  await expect(dialog.getByText("DATA PACKAGE")).toBeHidden();
  await choose(page, dialog, "DEVICE", new RegExp(device));
  await submit(dialog);
  await expect(dialog.getByText("Choose Data", { exact: true })).toBeVisible();
  await expect(dialog.getByText("Choose Device", { exact: true })).toBeHidden();
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
});

/** Waits until the demonstration has written its history. */
const untilThereIsPast = async (server: RunningServer) => {
  const owner = await clientOf(server);
  const [first] = await owner(downloads.devices, { deviceName: device });
  const day = new Date(Date.now() - (selectableDays.latest + 0.5) * 86_400_000).toISOString().slice(0, 10);
  const [startTime, endTime] = [new Date(`${day}T00:00:00Z`), new Date(`${day}T12:00:00Z`)];
  const input = { deviceId: first?.deviceId ?? 0, type: DataType.chosen, startTime, endTime };
  await expect
    .poll(async () => (await owner(downloads.export, input)).size, { timeout: 150_000 })
    .toBeGreaterThan(20_000);
};

test("selected days are saved as a spreadsheet and listed in the history", async ({ page, server }) => {
  test.setTimeout(240_000);
  await untilThereIsPast(server);
  await injectSession(page, server);
  const dialog = await openDialog(page);
  await choose(page, dialog, "DEVICE", new RegExp(device));
  await choose(page, dialog, "DATA", "Choose data");
  await dialog.getByRole("button", { name: "DATE RANGE" }).click();
  const days = page.locator("button[data-mantine-stop-propagation], table button").filter({ hasText: /^\d+$/ });
  const open = days.and(page.locator(":enabled"));
  expect(await open.count(), "only days from 30 to 10 days back").toBeLessThanOrEqual(21);
  await open.last().click();
  await open.last().click();

  const saved = page.waitForEvent("download");
  await submit(dialog);
  const { rows, texts } = await sheetIn(await saved);
  expect(rows.match(/<row>/g)?.length).toBeGreaterThan(1000);
  for (const text of ["TIME (", "Discharge pressure", "bar", "Good"]) expect(texts).toContain(text);
  await expect(page.getByRole("status").filter({ hasText: "The download has started" })).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(page, "the console stays where it was").toHaveURL("/devices");

  await page.getByRole("link", { name: "Download history" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("DEVICES / Download History");
  await expect(rowsOf(page, "Downloads", device).first()).toContainText(/20\d\d-\d\d-\d\d ~ 20\d\d-\d\d-\d\d/);
  await expect(page.getByText("No more data available")).toBeVisible();
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
});

test("only days between 30 and 10 days ago can be selected, in the device's time zone", async ({ page, server }) => {
  const [first] = await (await clientOf(server))(downloads.devices, { deviceName: device });
  await injectSession(page, server);
  const dialog = await openDialog(page);
  await choose(page, dialog, "DEVICE", new RegExp(device));
  await choose(page, dialog, "DATA", "Choose data");
  await dialog.getByRole("button", { name: "DATE RANGE" }).click();
  const earlier = page.getByRole("button", { name: "Previous month" });
  await expect(page.getByRole("button", { name: "Next month" })).toBeDisabled();
  const open = new Set<string>();
  for (let month = 0; month < 3; month += 1) {
    for (const day of await page.getByRole("button", { name: /^\d+ \w+ \d{4}$/, disabled: false }).all())
      open.add((await day.getAttribute("aria-label")) ?? "");
    if (await earlier.isDisabled()) break;
    await earlier.click();
  }
  await expect(earlier, "nothing further back").toBeDisabled();
  const today = new Date().toLocaleDateString("sv-SE", { timeZone: first?.timeZoneId ?? "UTC" });
  const back = (days: number) =>
    new Date(Date.parse(`${today}T12:00:00Z`) - days * 86_400_000).toLocaleDateString("en-GB", {
      day: "numeric",
      month: "long",
      year: "numeric",
      timeZone: "UTC",
    });
  const specified = Array.from({ length: selectableDays.earliest - selectableDays.latest + 1 }, (_, n) =>
    back(selectableDays.latest + n),
  );
  expect([...open].sort()).toEqual(specified.sort());
});

test("a complete month is saved as a data package", async ({ page, server }) => {
  // The packages of all of the demonstration's months are made first.
  test.setTimeout(300_000);
  const owner = await clientOf(server);
  const [first] = (await owner(downloads.devices, { deviceName: device })) ?? [];
  await expect
    .poll(async () => (await owner(downloads.packages, { deviceId: first?.deviceId ?? 0 })).length, {
      timeout: 200_000,
    })
    .toBeGreaterThan(0);
  await injectSession(page, server);
  const dialog = await openDialog(page);
  await choose(page, dialog, "DEVICE", new RegExp(device));
  await choose(page, dialog, "DATA", "Consolidated data");
  await choose(page, dialog, "DATA PACKAGE", /^[A-Z][a-z]+ 20\d\d$/);
  const saved = page.waitForEvent("download");
  await submit(dialog);
  const download = await saved;
  expect(download.suggestedFilename()).toMatch(/^Pump-house-2_.+_20\d\d-\d\d[.]xlsx$/);
  expect((await sheetIn(download)).rows.length).toBeGreaterThan(10_000);
});

test("a month that is still receiving readings says so, and is offered once they have arrived", async ({
  page,
  server,
}) => {
  test.setTimeout(300_000);
  const unit = await addUnit(server);
  const sender = await connectUnit(server, unit);
  const today = new Date();
  const month = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 2, 15));
  const name = month.toLocaleDateString("en-US", { month: "long", year: "numeric", timeZone: "UTC" });
  let sent = 0;
  const send = () => publish(sender, { ts: month.getTime() + 60_000 * sent++, values: { AI1: sent } });
  await send();
  const sending = setInterval(() => void send(), 2_000);
  try {
    await injectSession(page, server);
    const dialog = await openDialog(page);
    await choose(page, dialog, "DEVICE", new RegExp(unit.name));
    await choose(page, dialog, "DATA", "Consolidated data");
    await expect(dialog).toContainText(`${name} is not ready: it is still receiving readings.`);
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  } finally {
    clearInterval(sending);
  }
  await sender.endAsync();
  const owner = await clientOf(server);
  const [found] = (await owner(downloads.devices, { deviceName: unit.name })) ?? [];
  await expect
    .poll(() => owner(downloads.packages, { deviceId: found?.deviceId ?? 0 }), { timeout: 200_000 })
    .toHaveLength(1);
  const dialog = dialogOf(page, "DOWNLOAD TELLTALE DATA");
  await expect(dialog).not.toContainText(name, { timeout: 200_000 });
  await choose(page, dialog, "DATA PACKAGE", name);
  const saved = page.waitForEvent("download");
  await submit(dialog);
  expect((await sheetIn(await saved)).rows.match(/<row>/g)).toHaveLength(sent + 1);
});

test("a refused download shows a warning and does not leave the page", async ({ page, server }) => {
  await injectSession(page, server);
  const dialog = await openDialog(page);
  await choose(page, dialog, "DEVICE", new RegExp(device));
  await choose(page, dialog, "DATA", "Consolidated data");
  await choose(page, dialog, "DATA PACKAGE", /^[A-Z][a-z]+ 20\d\d$/);
  await page.route("**/api/download/package**", (route) =>
    route.fulfill({ json: { code: 429, msg: "Wait until one of your downloads is finished", result: null } }),
  );
  await submit(dialog);
  await expect(page.getByRole("alert")).toContainText("Wait until one of your downloads is finished");
  await expect(dialog).toBeVisible();
});

test("a viewer can download nothing", async ({ page, server }) => {
  await injectSession(page, server, "viewer");
  await page.goto("/devicesHistory");
  await expect(page).not.toHaveURL(/devicesHistory/);
  const viewer = await clientOf(server, emailOf("viewer"));
  await expect(viewer(downloads.history, {})).rejects.toMatchObject({ code: 403 });
});
