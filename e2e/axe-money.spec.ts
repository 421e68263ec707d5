import { orders, paypal, sandbox, sms } from "@telltale/contract/domains/billing";
import { checkWithTouch, errorsOf } from "./accessibility.ts";
import { expect, test } from "./harness.ts";
import { clientOf, emailOf, injectSession } from "./people.ts";
import { rowsOf } from "./screen.ts";
import type { RunningServer } from "./server-process.ts";

test.describe.configure({ timeout: 180_000 });

/** An SMS order with a started payment, approved or not. */
const anOrder = async (server: RunningServer, isApproved: boolean) => {
  const client = await clientOf(server);
  const { orderSn } = await client(sms.create, { packageId: 1 });
  const { id } = await client(paypal.createOrder, { orderSn });
  if (isApproved) await client(sandbox.approve, { paymentId: id });
  return { client, orderSn, id };
};

test("SMS credit, an order's confirmation and its payment are accessible, fit the screen and log no errors", async ({
  page,
  server,
}) => {
  const validationErrors = errorsOf(page);
  const open = await anOrder(server, false);
  const bought = await anOrder(server, true);
  await bought.client(paypal.captureOrder, { id: bought.id });
  await injectSession(page, server);
  await page.goto("/sms");
  await expect(page.getByRole("button", { name: /^Pay \$/ })).toBeVisible();
  await expect(page.getByRole("table", { name: "Monthly usage records" })).toBeVisible();
  await checkWithTouch(page, "SMS credit");
  await page.getByRole("combobox", { name: "Year" }).click();
  await expect(page.getByRole("option").first()).toBeVisible();
  await checkWithTouch(page, "the years to choose from");
  await page.goto("/sms?tab=billing");
  await expect(rowsOf(page, "Billing history", emailOf("owner")).first()).toBeVisible();
  await checkWithTouch(page, "billing history");
  await page.goto(`/paybtn?orderSn=${open.orderSn}`);
  await expect(page.getByRole("button", { name: "Pay with PayPal" })).toBeVisible();
  await checkWithTouch(page, "an order's payment button");
  await page.goto(`/orderss?id=${open.id}`);
  await expect(page.getByRole("button", { name: "BUY NOW" })).toBeVisible();
  await checkWithTouch(page, "an order's confirmation");
  await page.goto(`/orderss?id=${bought.id}`);
  await expect(page.getByRole("heading", { name: "CONFIRMATION" })).toBeVisible();
  await checkWithTouch(page, "a bought order");
  await bought.client(orders.pay, { orderSn: open.orderSn });
  await page.goto(`/sandboxCheckout?paymentId=${open.id}`);
  await expect(page.getByRole("button", { name: "Approve" })).toBeVisible();
  await checkWithTouch(page, "the checkout of SMS");
  expect(validationErrors).toEqual([]);
});
