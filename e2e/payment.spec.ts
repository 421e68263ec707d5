import type { Page } from "@playwright/test";
import { Code } from "@telltale/contract/call/codes";
import { captureRefused, orders, paypal, sandbox } from "@telltale/contract/domains/billing";
import { devices } from "@telltale/contract/domains/devices";
import { abortCall, refuseCall, restoreCall } from "./answers.ts";
import { expect, test } from "./harness.ts";
import { clientOf, injectSession } from "./people.ts";
import type { RunningServer } from "./server-process.ts";
import { addUnit, idsOf } from "./unit.ts";

/** A new unit of the demonstration's owner, and an order of two years for it. */
const anOrder = async (server: RunningServer) => {
  const unit = await addUnit(server);
  const client = await clientOf(server);
  const { deviceId } = await idsOf(client, unit.deviceSnId);
  const { orderSn } = await client(orders.create, { deviceId, packageId: 1, storageSpace: 1, year: 2 });
  const endOf = async () => (await client(devices.detail, { deviceId })).device.expireTime?.getTime() ?? 0;
  return { client, unit, orderSn, endOf };
};
const buyNow = (page: Page) => page.getByRole("button", { name: "BUY NOW" });
const agree = (page: Page) => page.getByRole("checkbox", { name: /Terms of Use/ }).check();
const title = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });

test("an order's payment button leads through confirmation and approval to COMPLETED", async ({ page, server }) => {
  const { unit, orderSn, endOf } = await anOrder(server);
  const before = await endOf();
  await injectSession(page, server);
  await page.goto(`/paybtn?orderSn=${orderSn}`);
  await expect(page.getByRole("main")).toContainText(orderSn);
  await page.getByRole("button", { name: "Pay with PayPal" }).click();
  await expect(title(page, "Confirm Network Services Purchase")).toBeVisible();
  const main = page.getByRole("main");
  for (const words of ["60 Second Reporting for 2 year", unit.deviceSnId, "$96.00", orderSn])
    await expect(main).toContainText(words);
  await expect(buyNow(page), "the terms come first").toBeDisabled();
  await agree(page);
  await buyNow(page).click();
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(title(page, "CONFIRMATION")).toBeVisible();
  await expect(main).toContainText(orderSn);
  await expect(main).toContainText("COMPLETED");
  expect(await endOf()).toBeGreaterThan(before);

  const after = await endOf();
  await page.reload();
  await expect(title(page, "CONFIRMATION")).toBeVisible();
  await page.goto(`/paybtn?orderSn=${orderSn}`);
  await page.getByRole("button", { name: "Pay with PayPal" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "This order has been paid already" })).toBeVisible();
  expect(await endOf()).toBe(after);
});

test("BUY NOW captures an approved payment once, however often it is clicked", async ({ page, server }) => {
  const { client, orderSn, endOf } = await anOrder(server);
  const { id } = await client(paypal.createOrder, { orderSn });
  await client(sandbox.approve, { paymentId: id });
  const before = await endOf();
  await injectSession(page, server);
  await page.goto(`/orderss?id=${id}`);
  await agree(page);
  await buyNow(page).dblclick();
  await expect(title(page, "CONFIRMATION")).toBeVisible();
  const years = (await endOf()) - before;
  expect(Math.round(years / (365 * 86_400_000))).toBe(2);
});

test("a payment that the provider refuses leads back to the devices, and nothing is bought", async ({
  page,
  server,
}) => {
  const { client, orderSn, endOf } = await anOrder(server);
  const { id } = await client(paypal.createOrder, { orderSn });
  await client(sandbox.approve, { paymentId: id });
  const before = await endOf();
  await injectSession(page, server);
  await page.goto(`/orderss?id=${id}`);
  await refuseCall(page, paypal.captureOrder, Code.invalid, `${captureRefused}. The payment was not approved`);
  await agree(page);
  await buyNow(page).click();
  await expect(page).toHaveURL("/devices");
  await expect(page.getByRole("alert").filter({ hasText: captureRefused })).toBeVisible();
  await restoreCall(page, paypal.captureOrder);
  expect(await endOf()).toBe(before);
});

/** Notes all warnings: one about the network goes as soon as another call is answered. */
const noteWarnings = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const note = () => {
      const { dataset } = document.documentElement;
      for (const { textContent } of document.querySelectorAll("[role=alert]"))
        dataset.said = `${dataset.said ?? ""} ${textContent}`;
    };
    new MutationObserver(note).observe(document, { subtree: true, childList: true, characterData: true });
  });

test("a payment that the server did not hear of can be tried again", async ({ page, server }) => {
  const { client, orderSn } = await anOrder(server);
  const { id } = await client(paypal.createOrder, { orderSn });
  await client(sandbox.approve, { paymentId: id });
  await injectSession(page, server);
  await abortCall(page, paypal.captureOrder);
  await noteWarnings(page);
  await page.goto(`/orderss?id=${id}&buy=1`);
  await expect(page.locator("html")).toHaveAttribute("data-said", /Network is busy/);
  await restoreCall(page, paypal.captureOrder);
  await agree(page);
  await buyNow(page).click();
  await expect(title(page, "CONFIRMATION")).toBeVisible();
});

test("a cancelled approval and an unknown payment buy nothing", async ({ page, server }) => {
  const { orderSn } = await anOrder(server);
  await injectSession(page, server);
  await page.goto(`/paybtn?orderSn=${orderSn}`);
  await page.getByRole("button", { name: "Pay with PayPal" }).click();
  await agree(page);
  await buyNow(page).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(title(page, "Confirm Network Services Purchase")).toBeVisible();
  await page.goto("/orderss?id=NOBODY");
  await expect(page.getByRole("alert")).toContainText("This does not exist");
});
