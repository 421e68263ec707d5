import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { check, errorsOf } from "./accessibility.ts";
import { addRule } from "./alert-rule.ts";
import { expect, test } from "./harness.ts";
import { injectSession } from "./people.ts";
import { dialogOf, rowsOf } from "./screen.ts";
import { startServer } from "./server-process.ts";
import { reportOnce } from "./unit.ts";

test.describe.configure({ timeout: 240_000 });

test("a webhook is added, tested, gets an alert whose link confirms it, and is deleted", async ({ page }) => {
  const received: string[] = [];
  let status = 200;
  const receiver = createServer(async (request, response) => {
    received.push((await request.setEncoding("utf8").toArray()).join(""));
    response.writeHead(status).end();
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const server = await startServer({ demo: true, env: { WEBHOOK_PRIVATE: "1" } });
  try {
    const complaints = errorsOf(page);
    const { unit } = await addRule(server);
    await injectSession(page, server);
    await page.goto(`${server.baseURL}/configureWebhooks`);
    await expect(page.getByText("There are no webhooks")).toBeVisible();
    await page.getByRole("button", { name: "Add webhook" }).click();
    const dialog = dialogOf(page, "Add webhook");
    await dialog.getByRole("button", { name: "Confirm" }).click();
    await expect(dialog).toContainText("Name of the webhook cannot be blank");
    await expect(dialog).toContainText("Enter an address such as https://hooks.example.com/alerts");
    await dialog.getByLabel("Name").fill("ntfy, control room");
    await dialog.getByLabel("Address").fill(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`);
    await dialog.getByRole("combobox", { name: "Alerts" }).click();
    await page.getByRole("option", { name: `Well high, ${unit.name}` }).click();
    await dialog.getByLabel("Name").focus();
    await dialog.getByLabel("May confirm by its link").click();
    await check(page, "add webhook", "[role=dialog]");
    await dialog.getByRole("button", { name: "Confirm" }).click();
    await expect(dialogOf(page, "Signing secret")).toContainText(/whsec_[\w+/=]{40,}/);
    await dialogOf(page, "Signing secret").getByRole("button", { name: "Close" }).last().click();
    const row = rowsOf(page, "Webhooks", "ntfy, control room");
    await expect(row).toContainText("No message yet");
    await page.getByRole("button", { name: "Send a test to ntfy, control room" }).click();
    await expect(page.getByText("The test was accepted")).toBeVisible();
    await expect(row).toContainText("Accepted");
    status = 500;
    await page.getByRole("button", { name: "Send a test to ntfy, control room" }).click();
    await expect(page.getByText("The test was not accepted: The webhook answered 500")).toBeVisible();
    await page.getByRole("button", { name: "Refresh" }).click();
    await expect(row).toContainText("Failing");
    await check(page, "webhooks");
    status = 200;
    await reportOnce(server, unit, { AI1: 75 });
    await expect
      .poll(() => received.filter((text) => text.includes("alert.raised")).length, { timeout: 30_000 })
      .toBe(1);
    const { data } = JSON.parse(received.find((text) => text.includes("alert.raised")) ?? "{}");
    await page.goto(data.url);
    await page.getByRole("button", { name: "Confirm as ntfy, control room" }).click();
    await expect(page.getByRole("status")).toContainText("Confirmed by ntfy, control room");
    await page.goto(`${server.baseURL}/configureWebhooks`);
    await page.getByRole("button", { name: "Edit ntfy, control room" }).click();
    await expect(dialogOf(page, "Edit webhook").getByLabel("Name")).toHaveValue("ntfy, control room");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Delete ntfy, control room" }).click();
    await dialogOf(page, "Delete webhook").getByRole("button", { name: "Delete" }).click();
    await expect(page.getByText("There are no webhooks")).toBeVisible();
    expect(complaints).toEqual([]);
  } finally {
    receiver.close();
    await server.stop();
  }
});
