import { readFile } from "node:fs/promises";
import { orders, sms } from "@telltale/contract/domains/billing";
import { failCall, tryAgain } from "./answers.ts";
import { expect, test } from "./harness.ts";
import { clientOf, emailOf, injectSession, openSignedIn } from "./people.ts";
import { rowsOf } from "./screen.ts";

test("SMS credit is bought: a package, its approval, the new balance, the billing history and its receipt", async ({
  page,
  server,
}) => {
  await openSignedIn(page, server);
  await page.getByRole("link", { name: "SMS", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "SMS" })).toBeVisible();
  const { leftSms } = await (await clientOf(server))(sms.left, {});
  const balance = page.getByRole("region", { name: "Balance" }).or(page.locator("section", { hasText: "Balance" }));
  await expect(balance.first()).toContainText(`${leftSms} SMS`);
  await page.getByRole("radio", { name: /^500 SMS/ }).check({ force: true });
  await page.getByRole("button", { name: "Pay $22.50 with PayPal" }).click();
  await expect(page.getByRole("main")).toContainText("500");
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByText("Payment successful").first()).toBeVisible();
  await expect(page).toHaveURL("/sms");
  await expect(balance.first()).toContainText(`${leftSms + 500} SMS`);

  await page.getByRole("tab", { name: "Billing history" }).click();
  const row = rowsOf(page, "Billing history", "$22.50").first();
  await expect(row).toContainText(emailOf("owner"));
  await expect(row).toContainText("500");
  const saved = page.waitForEvent("download");
  await row.getByRole("button", { name: /^PDF receipt/ }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toMatch(/^Receipt.*\.pdf$/);
  expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe("%PDF-");
});

test("usage is listed by month of the selected year, which is part of the address", async ({ page, server }) => {
  test.setTimeout(180_000);
  const year = new Date().getFullYear();
  const owner = await clientOf(server);
  const used = async () => (await owner(sms.usage, { year })).data;
  await expect
    .poll(async () => (await used()).length, { message: "the past is there", timeout: 120_000 })
    .toBeGreaterThan(0);
  const data = await used();
  await injectSession(page, server);
  await page.goto("/sms");
  const rows = page.getByRole("table", { name: "Monthly usage records" }).getByRole("row");
  await expect(rows).toHaveCount(data.length + 1);
  await expect(rows.nth(1)).toContainText(`${data[0]?.num} SMS`);
  await page.getByRole("combobox", { name: "Year" }).click();
  await page.getByRole("option", { name: String(year - 2) }).click();
  await expect(page).toHaveURL(`/sms?year=${year - 2}`);
  await expect(page.getByText(`No SMS were used in ${year - 2}`)).toBeVisible();
});

test("an admin sees SMS, others do not, and a support view buys nothing", async ({ page, server }) => {
  await injectSession(page, server, "admin");
  await page.goto("/sms");
  await expect(page.getByRole("button", { name: /^Pay \$/ })).toBeVisible();
  for (const person of ["manager", "viewer"] as const) {
    await injectSession(page, server, person);
    await page.goto("/sms");
    await expect(page).toHaveURL("/");
  }
  const [support] = await server.telltale<{ link: string }[]>("support-link", "--email", emailOf("owner"));
  await page.goto(support?.link ?? "");
  await expect(page.getByRole("heading", { level: 1, name: "DASHBOARD" })).toBeVisible();
  await page.goto("/sms");
  await expect(page.getByRole("radio", { name: /^500 SMS/ })).toBeAttached();
  await expect(page.getByRole("button", { name: /^Pay \$/ })).toHaveCount(0);
});

test("what can't be loaded says so in place, and can be retried", async ({ page, server }) => {
  await injectSession(page, server);
  for (const [call, name] of [
    [sms.left, "Balance"],
    [sms.packages, "Buy SMS"],
  ] as const) {
    await failCall(page, call);
    await page.goto("/sms");
    const panel = page.locator("section").filter({ has: page.getByRole("heading", { name, exact: true }) });
    await expect(panel.getByRole("button", { name: "Try again" })).toBeVisible({ timeout: 20_000 });
    await tryAgain(page, call, panel);
    await expect(panel).toContainText("SMS");
  }
});

test("a refused payment shows an error, and nothing is bought", async ({ page, server }) => {
  await injectSession(page, server);
  await page.goto("/sms");
  await failCall(page, orders.pay);
  await page.getByRole("button", { name: "Pay $5.00 with PayPal" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Server is busy" })).toBeVisible();
  await expect(page).toHaveURL("/sms");
});
