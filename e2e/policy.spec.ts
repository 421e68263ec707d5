import type { Page } from "@playwright/test";
import { expect, test } from "./harness.ts";
import { clientOf, injectSession } from "./people.ts";
import { idsOf } from "./unit.ts";

/** Collects all content security policy violations while the page is open. */
const refusalsOn = (page: Page): string[] => {
  const refusals: string[] = [];
  page.on("console", (message) => {
    if (/content security policy/i.test(message.text())) refusals.push(`${page.url()}: ${message.text()}`);
  });
  return refusals;
};

const pages = [
  ...[
    "/",
    "/alarms",
    "/alarms/notifications",
    "/devices",
    "/devicesHistory",
    "/users",
    "/configureDashboard",
    "/dragging",
  ],
  ...["/configureAlarm", "/configureDevices", "/configureUsers", "/audit", "/sms", "/joint", "/jointAdd", "/personal"],
  ...["/keyboard", "/profile", "/download", "/support"],
];

test("no page violates the content security policy, which blocks inline styles and scripts", async ({
  page,
  server,
}) => {
  const refusals = refusalsOn(page);
  const answer = await page.goto("/login");
  const policy = answer?.headers()["content-security-policy"] ?? "";
  expect(policy).toContain("default-src 'self'");
  expect(policy).not.toContain("unsafe-");
  await injectSession(page, server);
  for (const path of pages) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  }
  await page.evaluate(() =>
    document.body.append(Object.assign(document.createElement("style"), { textContent: "b{}" })),
  );
  await expect.poll(() => refusals.length, { message: "a style element of a stranger's is refused" }).toBe(1);
  expect(refusals[0]).toContain("style-src");
});

test("a chart with its tooltip and a dialog with scroll lock work under the policy", async ({ page, server }) => {
  const refusals = refusalsOn(page);
  const { deviceId } = await idsOf(await clientOf(server), "7C9EBD4A3F12");
  await injectSession(page, server);
  await page.goto(`/devicesDetail?deviceId=${deviceId}`);
  const chart = page.getByRole("tabpanel", { name: "GRAPHIC" }).getByRole("img");
  await expect(chart).toBeVisible();
  await chart.hover({ position: { x: 400, y: 100 } });
  await page.goto("/");
  await page.getByRole("button", { name: "Pay for Compressor A" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  expect(refusals).toEqual([]);
});
