import { Code, Message } from "@telltale/contract/call/codes";
import { support } from "@telltale/contract/domains/support";
import { refuseCall, tryAgain } from "./answers.ts";
import { expect, test } from "./harness.ts";
import { injectSession, openSignedIn } from "./people.ts";
import { dialogOf } from "./screen.ts";
import { startServer } from "./server-process.ts";

test("questions are numbered, and the answer opens in a dialog that restores the focus", async ({ page, server }) => {
  await openSignedIn(page, server, "viewer");
  await page.getByRole("navigation", { name: "Main menu" }).getByRole("link", { name: "SUPPORT" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("SUPPORT");
  await expect(page.getByRole("tab", { name: "FAQ" })).toHaveAttribute("aria-selected", "true");
  const question = page.getByRole("listitem").filter({ hasText: "What is hysteresis for?" }).getByRole("button");
  await expect(question).toHaveText(/^9/);
  await question.click();
  const dialog = dialogOf(page, "What is hysteresis for?");
  await expect(dialog).toContainText("is raised at 80 and clears below 75");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(question).toBeFocused();
});

test("a link in an answer leads to the section of a tutorial, and is part of the address", async ({ page, server }) => {
  await injectSession(page, server);
  await page.goto("/support");
  await page.getByRole("button", { name: /nobody was notified/ }).click();
  await page.getByRole("dialog").getByRole("link", { name: "Who is notified" }).click();
  await expect(page).toHaveURL("/support?tab=documentation&tutorial=alerts-and-contacts#who-is-notified");
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(page.getByRole("heading", { name: "Who is notified" })).toBeInViewport();
  await page.reload();
  await expect(page.getByRole("heading", { level: 2, name: "Notifications and escalation" })).toBeVisible();
  await page.getByRole("link", { name: "Joint control", exact: true }).click();
  await expect(page.getByRole("heading", { level: 2, name: "Joint control" })).toBeVisible();
  const picture = page.getByRole("img", { name: "Joint controls" });
  await picture.scrollIntoViewIfNeeded();
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(600);
});

test("a manual opens as PDF in a new tab, by an address without a token", async ({ page, server }) => {
  await injectSession(page, server);
  await page.goto("/support?tab=documentation");
  const manual = page.getByRole("link", { name: /Operating manual/ });
  await expect(manual).toHaveAttribute("target", "_blank");
  const address = new URL((await manual.getAttribute("href")) ?? "", server.baseURL);
  expect(address.searchParams.has("token")).toBe(false);
  const answer = await fetch(address);
  expect(answer.headers.get("content-type")).toBe("application/pdf");
  expect(Buffer.from(await answer.arrayBuffer()).toString("latin1", 0, 5)).toBe("%PDF-");
});

test("without contacts, the owner sees what the operator has to set, a viewer whom to ask, and no contact is invented", async ({
  page,
  server,
}) => {
  await injectSession(page, server);
  await page.goto("/support?tab=contact");
  await expect(page.getByRole("tabpanel")).toContainText("SUPPORT_PHONE, SUPPORT_EMAIL and SUPPORT_HOURS");
  await expect(page.getByRole("tabpanel").getByRole("link")).toHaveCount(0);
  await page.getByRole("tab", { name: "DOWNLOADS" }).click();
  await expect(page.getByRole("tabpanel")).toContainText("STORE_IOS_URL and STORE_ANDROID_URL");
  await injectSession(page, server, "viewer");
  await page.goto("/support?tab=contact");
  await expect(page.getByRole("tabpanel")).toContainText("Ask an owner or admin of your plant");
  await expect(page.getByRole("tabpanel")).not.toContainText("SUPPORT_");
});

test("contacts and apps are those that the operator has set", async ({ page }) => {
  const server = await startServer({
    demo: true,
    env: {
      SUPPORT_PHONE: "+1 (555) 123-4567",
      SUPPORT_EMAIL: "help@operator.example",
      SUPPORT_HOURS: "Mon to Fri, 8 to 17, UTC",
      STORE_ANDROID_URL: "https://play.google.com/store/apps/details?id=example",
    },
  });
  try {
    await injectSession(page, server);
    await page.goto(`${server.baseURL}/support?tab=contact`);
    await expect(page.getByRole("link", { name: "+1 (555) 123-4567" })).toHaveAttribute("href", "tel:+15551234567");
    await expect(page.getByRole("link", { name: "help@operator.example" })).toHaveAttribute(
      "href",
      "mailto:help@operator.example",
    );
    await expect(page.getByRole("tabpanel")).toContainText("Mon to Fri, 8 to 17, UTC");
    await page.getByRole("tab", { name: "DOWNLOADS" }).click();
    await expect(page.getByRole("link", { name: /Android app/ })).toHaveAttribute("href", /^https:\/\/play\.google/);
    await expect(page.getByRole("link", { name: /iOS app/ })).toHaveCount(0);
  } finally {
    await server.stop();
  }
});

test("errors of the server are shown, and can be retried", async ({ page, server }) => {
  await injectSession(page, server);
  await refuseCall(page, support.getInfo, Code.internal, Message.serverBusy);
  await page.goto("/support");
  const failure = page.getByRole("main").getByRole("alert").filter({ hasText: Message.serverBusy });
  await expect(failure).toBeVisible();
  await tryAgain(page, support.getInfo, failure);
  await expect(page.getByRole("button", { name: /How do I connect a device/ })).toBeVisible();
});
