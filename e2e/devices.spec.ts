import type { Page } from "@playwright/test";
import { Code } from "@telltale/contract/call/codes";
import { devices } from "@telltale/contract/domains/devices";
import { refuseCall, tryAgain } from "./answers.ts";
import { expect, test } from "./harness.ts";
import { emailOf, injectSession, openSignedIn } from "./people.ts";
import { filterTags, listEnd, openFilter, rowsOf } from "./screen.ts";
import type { RunningServer } from "./server-process.ts";
import { addUnit, freshName, reportOnce, type Unit } from "./unit.ts";

const devicesOf = (page: Page, text: string) => rowsOf(page, "Devices", text);

/** Asserts the number of rows that the list states, without its head. */
const expectRows = (page: Page, count: number) =>
  expect(page.getByRole("table", { name: "Devices" })).toHaveAttribute("aria-rowcount", String(count + 1));

/** Adds several main devices, or sub-devices of one. */
const addUnits = (server: RunningServer, name: string, count: number, parent?: Unit): Promise<Unit[]> => {
  const kind = parent ? ["--model", "VBS", "--parent", parent.deviceSnId] : ["--model", "AIS"];
  const command = ["devices", "add", ...kind, "--owner", emailOf("owner"), "--name", name, "--count", String(count)];
  return server.telltale<Unit[]>(...command);
};

const date = /^\d{4}-\d\d-\d\d$/;

test("each device has its status, ID, P/N, name, dates and parent", async ({ page, server }) => {
  await openSignedIn(page, server);
  await page.getByRole("navigation", { name: "Main menu" }).getByRole("link", { name: "DEVICES", exact: true }).click();
  await expect(page).toHaveURL("/devices");
  await expect(page).toHaveTitle(/DEVICES - Telltale$/);
  await expect(page.getByRole("heading", { level: 1, name: "DEVICES" })).toBeVisible();
  const heads = page.getByRole("table", { name: "Devices" }).getByRole("columnheader");
  const words = ["STATUS", "DEVICE ID", "DEVICE P/N", "DEVICE NAME", "INSTALLED", "RENEWED", "PAY DATE", "PARENT"];
  await expect(heads).toHaveText(words);
  const compressor = devicesOf(page, "Compressor A");
  await expect(compressor.getByRole("cell").nth(1)).toHaveText("Payment Due");
  for (const column of [5, 6]) await expect(compressor.getByRole("cell").nth(column)).toHaveText(date);
  await expect(devicesOf(page, "Control building").getByRole("cell").nth(7)).toHaveText(date);
  await expect(compressor.getByRole("cell").nth(8)).toHaveText("--");
  await expect(devicesOf(page, "Tank farm").getByRole("cell").nth(7)).toHaveText("N/A");

  const panel = page.getByRole("complementary", { name: "Status & download" });
  for (const status of ["Alert", "Normal", "Inactive", "Offline", "Payment Due"])
    await expect(panel.getByText(status, { exact: true })).toBeVisible();
});

test("a filter is a tag and part of the address: reload and a shared link keep it", async ({ page, server }) => {
  const unit = await addUnit(server);
  await injectSession(page, server);
  await page.goto("/devices");
  const byName = await openFilter(page, "DEVICE NAME");
  await byName.getByRole("textbox").fill(unit.name);
  await byName.getByRole("button", { name: "Apply" }).click();
  await expect(filterTags(page)).toContainText(`DEVICE NAME${unit.name}`);
  await expectRows(page, 1);

  const byStatus = await openFilter(page, "STATUS");
  for (const status of ["Normal", "Inactive"]) await byStatus.getByRole("checkbox", { name: status }).check();
  await byStatus.getByRole("button", { name: "Apply" }).click();
  await expect(page).toHaveURL(/[?&]status=2&status=3/);
  await expect(devicesOf(page, unit.name)).toContainText("Inactive");

  await page.reload();
  await expect(filterTags(page)).toContainText("STATUSNormal");
  await filterTags(page).getByRole("button", { name: "Remove filter STATUS Inactive" }).click();
  await expect(page.getByText("No devices match these filters")).toBeVisible();
  await filterTags(page).getByRole("button", { name: "Clear all" }).click();
  await expect(page).toHaveURL("/devices");
  await expect(devicesOf(page, "Pump house 2").first()).toBeVisible();
});

test("each kind of filter narrows the list", async ({ page, server }) => {
  const unit = await addUnit(server);
  await injectSession(page, server);
  for (const filter of [
    "status=3",
    `deviceSn=${unit.deviceSn}`,
    `deviceName=${unit.name}`,
    "installed=2020-01-01~2099-12-31",
    "renewed=2020-01-01~2099-12-31",
  ]) {
    await page.goto(`/devices?deviceSnId=${unit.deviceSnId}&${filter}`);
    await expect(devicesOf(page, unit.name), filter).toBeVisible();
    await expectRows(page, 1);
  }
  for (const filter of [
    "status=1",
    "deviceSn=XYZ",
    "deviceName=Nothing",
    "installed=2020-01-01~2020-12-31",
    "renewed=2020-01-01~2020-12-31",
    "payDate=2020-01-01~2099-12-31",
  ]) {
    await page.goto(`/devices?deviceSnId=${unit.deviceSnId}&${filter}`);
    await expect(page.getByText("No devices match these filters"), filter).toBeVisible();
  }
  await page.goto("/devices?payDate=2020-01-01~2099-12-31");
  await expect(devicesOf(page, "Control building")).toBeVisible();
});

test("INSTALLED, RENEWED and PAY DATE need both ends", async ({ page, server }) => {
  await injectSession(page, server);
  await page.goto("/devices");
  for (const head of ["INSTALLED", "RENEWED", "PAY DATE"]) {
    const dialog = await openFilter(page, head);
    await dialog.getByRole("textbox", { name: "End date" }).fill("2026-01-31");
    await dialog.getByRole("button", { name: "Apply" }).click();
    await expect(dialog).toContainText("Please select start date");
    await dialog.getByRole("textbox", { name: "Start date" }).fill("2026-01-01");
    await dialog.getByRole("textbox", { name: "End date" }).fill("");
    await dialog.getByRole("button", { name: "Apply" }).click();
    await expect(dialog).toContainText("Please select end date");
    await expect(page).toHaveURL("/devices");
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
  }
});

test("sub-devices expand under their parent, and automatically when a filter matches them", async ({
  page,
  server,
}) => {
  const master = await addUnit(server, { name: freshName("Mill") });
  const [sub, other] = await addUnits(server, freshName("Bearing"), 2, master);
  if (!sub || !other) throw new Error("No sub-devices were made");
  await injectSession(page, server);
  await page.goto("/devices?deviceName=Mill");
  await expect(devicesOf(page, master.name)).toBeVisible();
  await expect(page.getByRole("button", { name: "Rows below" }), "no sub-device is called so").toHaveCount(0);

  await page.goto(`/devices?deviceSnId=${sub.deviceSnId}`);
  await expect(devicesOf(page, sub.deviceSnId).getByRole("cell").nth(8)).toHaveText(master.name);
  await expectRows(page, 2);
  await page.getByRole("button", { name: "Rows below" }).click();
  await expectRows(page, 1);

  await filterTags(page).getByRole("button", { name: "Clear all" }).click();
  const row = devicesOf(page, master.deviceSnId);
  const chevron = row.getByRole("button", { name: "Rows below" });
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    // The next page that comes meanwhile may carry the row out of view again, and so out of the document.
    await chevron.focus({ timeout: 1_000 });
    await expect(chevron).toBeFocused({ timeout: 1_000 });
  }).toPass();
  await expect(chevron).toHaveAttribute("aria-expanded", "false");
  await expect(devicesOf(page, other.deviceSnId)).toHaveCount(0);
  await page.keyboard.press("Enter");
  await expect(chevron).toHaveAttribute("aria-expanded", "true");
  for (const { deviceSnId } of [sub, other]) await expect(devicesOf(page, deviceSnId)).toBeVisible();
  await chevron.click();
  await expect(devicesOf(page, other.deviceSnId)).toHaveCount(0);
});

test("a device opens by click, by Enter and by its ID; DEVICES links back", async ({ page, server }) => {
  const unit = await addUnit(server);
  await injectSession(page, server);
  await page.goto(`/devices?deviceSnId=${unit.deviceSnId}`);
  const row = devicesOf(page, unit.name);
  const title = page.getByRole("heading", { level: 1 });
  for (const open of [
    () => row.getByText(unit.name).click(),
    () => row.press("Enter"),
    () => row.getByRole("link", { name: unit.deviceSnId }).click(),
  ]) {
    await open();
    await expect(page).toHaveURL(/\/devicesDetail\?deviceId=\d+$/);
    await expect(title).toContainText(`DEVICES / ${unit.name}`);
    const entry = page
      .getByRole("navigation", { name: "Main menu" })
      .getByRole("link", { name: "DEVICES", exact: true });
    await expect(entry).toHaveAttribute("aria-current", "page");
    await page.goBack();
    await expect(row).toBeVisible();
  }
  await row.press("Enter");
  await title.getByRole("link", { name: "DEVICES", exact: true }).click();
  await expect(page).toHaveURL("/devices");
});

test.describe("a long list", () => {
  const name = freshName("Silo");

  test("loads pages of 20 down to its end, keeps its position on return, and restarts with a filter", async ({
    page,
    server,
  }) => {
    await addUnits(server, name, 45);
    await injectSession(page, server);
    const sizes = new Set<string | null>();
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (url.pathname === devices.list.path) sizes.add(url.searchParams.get("size") ?? "20");
    });
    await page.goto(`/devices?deviceName=${name}`);
    await expect(devicesOf(page, `${name} 1`).first()).toBeVisible();
    await expect(async () => {
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
      await expect(listEnd(page)).toBeVisible({ timeout: 500 });
    }).toPass();
    await expectRows(page, 45);
    expect([...sizes]).toEqual(["20"]);

    const row = devicesOf(page, `${name} 40`);
    const place = await row.boundingBox();
    await row.getByRole("link").click();
    await expect(page).toHaveURL(/\/devicesDetail/);
    await page.goBack();
    await expect.poll(async () => (await row.boundingBox())?.y).toBeCloseTo(place?.y ?? Number.NaN, 0);

    const restarted = page.waitForRequest((request) => request.url().includes("status=3"));
    const byStatus = await openFilter(page, "STATUS");
    await byStatus.getByRole("checkbox", { name: "Inactive" }).check();
    await byStatus.getByRole("button", { name: "Apply" }).click();
    expect(new URL((await restarted).url()).searchParams.get("page") ?? "1").toBe("1");
    await expect(devicesOf(page, `${name} 1`).first()).toBeInViewport();
  });

  test("can be navigated by keyboard, and renders only the rows on screen", async ({ page, server }) => {
    const many = freshName("Kiln");
    const count = 110;
    await addUnits(server, many, count);
    await injectSession(page, server);
    await page.goto(`/devices?deviceName=${many}`);
    await expect(devicesOf(page, `${many} 1`).first()).toBeVisible();
    await expect(async () => {
      await page.keyboard.press("End");
      await expect(devicesOf(page, `${many} ${count}`)).toBeInViewport({ timeout: 500 });
    }).toPass();
    await expectRows(page, count);
    await expect(listEnd(page)).toBeInViewport();
    expect(await page.getByRole("table", { name: "Devices" }).getByRole("row").count()).toBeLessThan(70);

    // A row that is measured during the scroll stops it; pressing again continues.
    await expect(async () => {
      await page.keyboard.press("PageUp");
      await expect(listEnd(page)).not.toBeInViewport({ timeout: 500 });
    }).toPass();
    await expect(async () => {
      await page.keyboard.press("Home");
      await expect(devicesOf(page, `${many} 1`).first()).toBeInViewport({ timeout: 500 });
    }).toPass();
    await expectRows(page, count);
  });

  test("shows a new status without scrolling", async ({ page, server }) => {
    const units = await addUnits(server, freshName("Tower"), 30);
    const unit = units[25];
    if (!unit) throw new Error("Too few devices were made");
    await injectSession(page, server);
    await page.goto("/devices?deviceName=Tower");
    await expectRows(page, 30);
    const row = devicesOf(page, unit.deviceSnId);
    await row.scrollIntoViewIfNeeded();
    await page.evaluate(() => window.scrollTo(0, 300));
    await expect(row).toContainText("Inactive");
    const place = await row.boundingBox();
    await reportOnce(server, unit, { AI1: 99 });
    await expect(row).toContainText("Alert");
    expect(await row.boundingBox()).toEqual(place);
  });
});

test("a list that can't be loaded says why and can be retried", async ({ page, server }) => {
  await injectSession(page, server);
  await refuseCall(page, devices.list, Code.conflict, "The devices cannot be read now");
  await page.goto("/devices");
  const failure = page.getByRole("main").getByRole("alert").filter({ hasText: "The devices cannot be read now" });
  await expect(failure).toBeVisible();
  await tryAgain(page, devices.list, failure);
  await expect(devicesOf(page, "Pump house 2").first()).toBeVisible();
});

test("a viewer has no DEVICES, neither in the menu nor by address; an installer has", async ({ page, server }) => {
  const entry = page.getByRole("navigation", { name: "Main menu" }).getByRole("link", { name: "DEVICES", exact: true });
  await openSignedIn(page, server, "viewer");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("DASHBOARD");
  await expect(entry).toHaveCount(0);
  await page.goto("/devices");
  await expect(page).toHaveURL("/");

  await openSignedIn(page, server, "installer");
  await entry.click();
  await expect(page).toHaveURL("/devices");
  await expect(devicesOf(page, "Pump house 2").first()).toBeVisible();
});
