import type { Locator, Page } from "@playwright/test";
import { Code } from "@telltale/contract/call/codes";
import { noMoneyMoves, orders } from "@telltale/contract/domains/billing";
import { devices } from "@telltale/contract/domains/devices";
import { expect, test } from "./harness.ts";
import { clientOf, injectSession, openSignedIn, openSupportView } from "./people.ts";
import { deviceRow, dialogOf, rowsOf } from "./screen.ts";
import { addUnit, idsOf } from "./unit.ts";

/** The demonstration's device whose service has ended. */
const due = "Compressor A";

const purchase = (page: Page): Locator => dialogOf(page, "Purchase network services");
const payIcon = (page: Page): Locator => page.getByRole("button", { name: `Pay for ${due}` });
const toPayment = (page: Page): Locator => purchase(page).getByRole("button", { name: "Continue to payment" });

/** Clicks an option of the dialog by its text. */
const choose = (page: Page, words: string): Promise<void> =>
  purchase(page).locator("label").filter({ hasText: words }).click();

const expectTotal = (page: Page, total: string): Promise<void> =>
  expect(purchase(page).getByText("Total").locator("..")).toContainText(total);

test("an account that may not buy sees no pay icon, no PAY and no checkout", async ({ page, server }) => {
  const unit = await addUnit(server);
  const { deviceId } = await idsOf(await clientOf(server), unit.deviceSnId);
  for (const openSignedInAs of [() => openSignedIn(page, server, "manager"), () => openSupportView(page, server)]) {
    await openSignedInAs();
    await expect(await deviceRow(page, due)).toContainText("Payment Due");
    await expect(payIcon(page)).toHaveCount(0);
    await page.goto("/devices");
    await expect(rowsOf(page, "Devices", due)).toContainText("Payment Due");
    await expect(payIcon(page)).toHaveCount(0);
    await page.goto(`/devicesDetail?deviceId=${deviceId}`);
    const closed = page.getByRole("button", { name: "Device general", expanded: false });
    await expect(page.getByRole("button", { name: "Device general" })).toBeVisible();
    if ((await closed.count()) > 0) await closed.click();
    await expect(page.getByText("PAY DATE")).toBeVisible();
    await expect(page.getByRole("button", { name: "PAY", exact: true })).toHaveCount(0);
    await page.goto("/sandboxCheckout?paymentId=SANDBOX-1");
    await expect(page).toHaveURL("/");
  }
});

test("only devices whose service has ended have the pay icon, and the total follows package and years", async ({
  page,
  server,
}) => {
  await openSignedIn(page, server);
  const row = await deviceRow(page, due);
  await expect(row).toContainText("Payment Due");
  await expect(page.getByRole("button", { name: /^Pay for/ })).toHaveCount(1);
  await payIcon(page).click();
  await expect(page, "the row was not opened").toHaveURL("/");
  await expect(purchase(page)).toContainText(due);
  await expect(
    purchase(page).getByRole("radio", { name: "60 s report interval 1 GB storage space $48.00" }),
  ).toBeChecked();
  await expectTotal(page, "$48.00");
  for (const [words, total] of [
    ["2 years", "$96.00"],
    ["3 years", "$144.00"],
    ["10 s", "$288.00"],
    ["1 s", "$576.00"],
    ["1 year", "$192.00"],
  ] as const) {
    await choose(page, words);
    await expectTotal(page, total);
  }
  await purchase(page).getByRole("button", { name: "Cancel" }).click();
  await expect(purchase(page)).toBeHidden();
  await expect(row).toContainText("Payment Due");
});

test("a payment-due device is paid for, and a cancelled checkout changes nothing", async ({ page, server }) => {
  await injectSession(page, server);
  await page.goto("/devices?deviceName=compressor");
  const row = rowsOf(page, "Devices", due);
  const renewed = row.getByRole("cell").nth(6);
  const before = await renewed.textContent();
  const toCheckout = async () => {
    await payIcon(page).click();
    await choose(page, "2 years");
    await toPayment(page).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sandbox checkout");
  };
  await toCheckout();
  const main = page.getByRole("main");
  for (const words of [noMoneyMoves, due, "60 s report interval, 1 GB storage space", "$96.00"])
    await expect(main).toContainText(words);
  await main.getByRole("button", { name: "Cancel" }).click();
  await expect(page).toHaveURL("/devices?deviceName=compressor");
  await expect(row).toContainText("Payment Due");
  await expect(renewed).toHaveText(before ?? "");

  await toCheckout();
  await main.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByText("Payment successful").first()).toBeVisible();
  await expect(page).toHaveURL("/devices?deviceName=compressor");
  await expect(row).toContainText(/Normal|Alert/);
  await expect(payIcon(page)).toHaveCount(0);
  const today = new Date();
  await expect(renewed).toContainText(String(today.getFullYear() + 2));
  await expect(row.getByRole("cell").nth(7)).toContainText(String(today.getFullYear()));
});

test("PAY on a device's own screen renews it early, once, however often the return page is loaded", async ({
  page,
  server,
}) => {
  const unit = await addUnit(server);
  const owner = await clientOf(server);
  const { deviceId } = await idsOf(owner, unit.deviceSnId);
  const endOf = async () => (await owner(devices.detail, { deviceId })).device.expireTime as Date;
  const before = await endOf();
  await injectSession(page, server);
  await page.goto(`/devicesDetail?deviceId=${deviceId}`);
  await page.getByRole("button", { name: "PAY", exact: true }).click();
  await expect(purchase(page)).toContainText(unit.deviceSnId);
  await choose(page, "3 years");
  await toPayment(page).click();
  const settled = page.waitForRequest((request) => request.url().includes(orders.settle.path));
  await page.getByRole("button", { name: "Approve" }).click();
  const { paymentId, payerId } = Object.fromEntries(new URLSearchParams((await settled).postData() ?? ""));
  await expect(page.getByText("Payment successful").first()).toBeVisible();
  await expect(page).toHaveURL(`/devicesDetail?deviceId=${deviceId}`);
  const after = await endOf();
  expect(after.getUTCFullYear()).toBe(before.getUTCFullYear() + 3);

  await page.goto(`/payResult?paymentId=${paymentId}&PayerID=${payerId}`);
  await expect(page.getByText("Payment successful").first()).toBeVisible();
  await expect(page).toHaveURL(`/devicesDetail?deviceId=${deviceId}`);
  expect(await endOf()).toEqual(after);
  await page.goto(`/sandboxCheckout?paymentId=${paymentId}`);
  await expect(page.getByRole("alert")).toContainText("This order has been paid already");
  await page.getByRole("button", { name: "Go back" }).click();
  await expect(page).toHaveURL(`/devicesDetail?deviceId=${deviceId}`);
});

test("an obstacle to a purchase is shown, and the dialog stays open", async ({ page, server }) => {
  const unit = await addUnit(server);
  const { deviceId } = await idsOf(await clientOf(server), unit.deviceSnId);
  await injectSession(page, server);
  await page.goto(`/devicesDetail?deviceId=${deviceId}`);
  const refuse = (path: string, msg: string) =>
    page.route(`**${path}?*`, (route) => route.fulfill({ json: { code: Code.conflict, msg, result: null } }));
  await refuse(orders.prices.path, "Prices cannot be read now");
  await page.getByRole("button", { name: "PAY", exact: true }).click();
  await expect(purchase(page).getByRole("alert")).toContainText("Prices cannot be read now");
  await expect(toPayment(page)).toBeDisabled();
  await page.unroute(`**${orders.prices.path}?*`);
  await purchase(page).getByRole("button", { name: "Try again" }).click();
  await expectTotal(page, "$48.00");

  await refuse(orders.pay.path, "Payments cannot be made on this server yet");
  await choose(page, "2 years");
  await toPayment(page).click();
  await expect(page.getByText("Payments cannot be made on this server yet")).toBeVisible();
  await expectTotal(page, "$96.00");
  await page.unroute(`**${orders.pay.path}?*`);
  await toPayment(page).click();
  await expect(page).toHaveURL(/\/sandboxCheckout/);
});

test("a lost confirmation is retried; a refused one is shown, and leads back", async ({ page, server }) => {
  const unit = await addUnit(server);
  const { deviceId } = await idsOf(await clientOf(server), unit.deviceSnId);
  await injectSession(page, server);
  await page.goto("/payResult?paymentId=nothing&PayerID=nobody");
  await expect(page.getByRole("alert").filter({ hasText: "does not exist" })).toBeVisible();
  await expect(page).toHaveURL("/devices");

  await page.goto(`/devicesDetail?deviceId=${deviceId}`);
  await page.getByRole("button", { name: "PAY", exact: true }).click();
  await toPayment(page).click();
  // A route registered while the browser navigates may not take effect.
  await expect(page.getByRole("button", { name: "Approve" })).toBeVisible();
  await page.route(`**${orders.settle.path}?*`, (route) => route.abort());
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByRole("main").getByRole("alert").filter({ hasText: "Network is busy" })).toBeVisible();
  await page.unroute(`**${orders.settle.path}?*`);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("Payment successful").first()).toBeVisible();
  await expect(page).toHaveURL(`/devicesDetail?deviceId=${deviceId}`);
});
