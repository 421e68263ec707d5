import type { Page } from "@playwright/test";
import { signIns } from "@telltale/contract/domains/people/sign-ins";
import { type TOTP, URI } from "otpauth";
import { expect, test } from "./harness.ts";
import { logIn } from "./mailing.ts";
import { accountButton, openMemberPage, password, save, signInAsNewOwner } from "./member.ts";
import { clientOf, openSignedInAs } from "./people.ts";
import { dialogOf, rowsOf } from "./screen.ts";

test.use({ demo: false });

const newPassword = "even longer";
/** Milliseconds for which a code of the app is valid. */
const step = 30_000;

const signOut = async (page: Page, email: string): Promise<void> => {
  await accountButton(page, email).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await dialogOf(page, "Sign out").getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL("/index");
};

test("a changed password ends every other session, at once", async ({ page, server, openElsewhere }) => {
  const email = await signInAsNewOwner(page, server);
  const other = await openElsewhere();
  await openSignedInAs(other, server, email, password);
  await page.goto("/changePassword");
  await save(page);
  await expect(page.getByText("Current password cannot be blank")).toBeVisible();
  await expect(page.getByText("New password cannot be blank")).toBeVisible();
  await page.getByLabel("Current password").fill("not this one");
  await page.getByLabel("New password", { exact: true }).fill("short");
  await page.getByLabel("Confirm new password").fill("different");
  await save(page);
  await expect(page.getByText("Set a password of no less than 8 characters")).toBeVisible();
  await expect(page.getByText("Passwords do not match")).toBeVisible();
  await page.getByLabel("New password", { exact: true }).fill(newPassword);
  await page.getByLabel("Confirm new password").fill(newPassword);
  await save(page);
  await expect(page.getByRole("main").getByRole("alert")).toHaveText("The current password is incorrect");
  await page.getByLabel("Current password").fill(password);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "Update successful" })).toBeVisible();
  await expect(page.getByLabel("Current password"), "nothing is left in the fields").toHaveValue("");

  await expect(other).toHaveURL("/login");
  await expect(other.getByRole("alert").filter({ hasText: "Login failed, please login again" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 }), "this one goes on").toHaveText("Change password");
  await expect(clientOf(server, email, password)).rejects.toThrow();
  await expect(clientOf(server, email, newPassword)).resolves.toBeTruthy();
});

test("sessions are listed with their browsers, and can be ended one by one or all", { tag: "@phone" }, async ({
  page,
  server,
  openElsewhere,
}) => {
  const email = await signInAsNewOwner(page, server);
  const userAgent = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:145.0) Gecko/20100101 Firefox/145.0";
  const other = await openElsewhere({ userAgent });
  await other.goto("/login");
  await logIn(other, email, password);
  await expect(other.getByRole("banner")).toContainText("Owner · North mill");

  await page.goto("/signIns");
  await expect(rowsOf(page, "Sessions", "This session")).toHaveCount(1);
  await rowsOf(page, "Sessions", "Firefox on Mac").getByRole("button", { name: "Sign out" }).click();
  const question = dialogOf(page, "Sign out there");
  await expect(question).toContainText("Firefox on Mac");
  await question.getByRole("button", { name: "Sign out" }).click();
  await expect(rowsOf(page, "Sessions", "Firefox on Mac")).toHaveCount(0);
  await expect(other).toHaveURL("/login");

  const client = await clientOf(server, email, password);
  await page.reload();
  await expect(rowsOf(page, "Sessions", "Sign out").first()).toBeVisible();
  await page.getByRole("button", { name: "Sign out everywhere else" }).click();
  await dialogOf(page, "Sign out everywhere else").getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("table", { name: "Sessions" }).getByRole("row")).toHaveCount(2);
  await expect(page.getByRole("button", { name: "Sign out everywhere else" })).toHaveCount(0);
  await expect(client(signIns.list)).rejects.toThrow();
});

/** Turns two-step sign-in on at its page; returns the authenticator app and the recovery codes. */
const turnOn = async (page: Page): Promise<{ app: TOTP; recoveryCodes: string[] }> => {
  const begun = page.waitForResponse(/secondFactor\/begin/);
  await page.getByLabel("Current password").fill(password);
  await page.getByRole("button", { name: "Turn on" }).click();
  const { result } = (await (await begun).json()) as { result: { uri: string; secret: string } };
  const app = URI.parse(result.uri) as TOTP;
  await expect(page.getByRole("img", { name: "QR code for your authenticator app" })).toBeVisible();
  await expect(page.getByRole("main")).toContainText(result.secret.slice(0, 4));
  const code = page.getByRole("textbox", { name: "Code" });
  await expect(code).toBeFocused();
  await code.fill("000000");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main").getByRole("alert")).toContainText("The code is not right");
  await code.fill(app.generate());
  await page.keyboard.press("Enter");
  const codes = page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
  await expect(codes).toHaveCount(10);
  return { app, recoveryCodes: await codes.allTextContents() };
};

test("two-step sign-in is turned on with an app, required at the next sign-in, and turned off", async ({
  page,
  server,
}) => {
  const email = await signInAsNewOwner(page, server);
  await page.goto("/secondFactor");
  const { app, recoveryCodes } = await turnOn(page);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download" }).click();
  expect((await download).suggestedFilename()).toBe("telltale-recovery-codes.txt");
  await page.getByRole("button", { name: "I have kept them" }).click();
  await expect(page.getByRole("main")).toContainText("10 recovery codes are left");

  await signOut(page, email);
  await page.goto("/login");
  await logIn(page, email, password);
  // Each code works once: the one that turned it on is used up.
  await page.getByLabel("Code", { exact: true }).fill(app.generate({ timestamp: Date.now() + step }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("banner")).toContainText("Owner · North mill");

  await page.goto("/secondFactor");
  await page.getByRole("button", { name: "New recovery codes" }).click();
  const renewal = dialogOf(page, "New recovery codes");
  await renewal.getByLabel("Current password").fill(password);
  await renewal.getByLabel("Code").fill(recoveryCodes[0] ?? "");
  await page.keyboard.press("Enter");
  const renewed = page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
  await expect(renewed).toHaveCount(10);
  const [fresh = ""] = await renewed.allTextContents();
  await page.getByRole("button", { name: "I have kept them" }).click();

  await page.getByRole("button", { name: "Turn off" }).click();
  const end = dialogOf(page, "Turn off two-step sign-in");
  await end.getByLabel("Current password").fill(password);
  await end.getByLabel("Code").fill(recoveryCodes[1] ?? "");
  await page.keyboard.press("Enter");
  await expect(end.getByRole("alert"), "the old ones have ended").toContainText("The code is not right");
  await end.getByLabel("Code").fill(fresh);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toContainText("Two-step sign-in is off");
});

test("a support view can read the account screens but not change them; the owner sees that it took place", {
  tag: "@phone",
}, async ({ page, server, openElsewhere }) => {
  const email = await signInAsNewOwner(page, server);
  const [support] = await server.telltale<{ link: string }[]>("support-link", "--email", email, "--by", "Support desk");
  const { viewport } = test.info().project.use;
  const visitor = await openElsewhere(viewport ? { viewport } : {});
  await visitor.goto(support?.link ?? "");
  await expect(visitor.getByRole("banner")).toContainText("Read-only support view");
  for (const path of ["company", "industry", "name", "alias", "cellNumber", "changePassword"]) {
    await visitor.goto(`/${path}`);
    const fields = visitor.getByRole("main").locator("input:visible");
    await expect(fields.first()).toBeVisible();
    for (const field of await fields.all()) await expect(field).toBeDisabled();
    await expect(visitor.getByRole("main").getByRole("button", { name: "Save" })).toHaveCount(0);
  }
  await visitor.goto("/profilePhoto");
  await expect(visitor.getByRole("heading", { level: 1 })).toHaveText("Profile photo");
  await openMemberPage(visitor, "Two-step sign-in");
  await expect(visitor.getByRole("main")).toContainText("Two-step sign-in is off");
  await openMemberPage(visitor, "Linked Accounts");
  await expect(visitor.getByRole("button", { name: "Create a new admin account" })).toHaveCount(0);
  await openMemberPage(visitor, "Sessions");
  await expect(rowsOf(visitor, "Sessions", "127.0.0.1").first()).toBeVisible();
  await expect(visitor.getByRole("main").getByRole("button", { name: /Sign out/ })).toHaveCount(0);

  await page.goto("/signIns");
  await expect(rowsOf(page, "Support views", "Support desk")).toContainText(email);
});

test("a user with several accounts switches between them on their page", async ({ page, server }) => {
  const host = await signInAsNewOwner(page, server);
  const email = await signInAsNewOwner(page, server);
  await server.telltale("users", "add", "--email", email, "--plant-of", host, "--role", "manager");
  await page.goto("/associatedAccount");
  await expect(rowsOf(page, "Linked Accounts", "Owner · North mill")).toContainText("Current");
  const joined = rowsOf(page, "Linked Accounts", "Device manager");
  await expect(joined).toContainText("Mary Okafor");
  await joined.getByRole("button", { name: "Switch" }).click();
  await expect(page.getByRole("banner")).toContainText("Device manager · North mill");
  await page.goto("/associatedAccount");
  await page.getByRole("button", { name: "Create a new admin account" }).click();
  await expect(dialogOf(page, "Create a new admin account").getByLabel("Device ID")).toBeFocused();
});
