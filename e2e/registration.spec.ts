import type { Page } from "@playwright/test";
import { registration } from "@telltale/contract/domains/people/registration";
import { abortCall, restoreCall } from "./answers.ts";
import { addOwner, expect, freeDeviceId, freshEmail, linkOf, logIn, register, test } from "./mailing.ts";
import { rowsOf } from "./screen.ts";

const password = "long enough";
const used = "This link has been used or is too old";

/** What the browser could reveal of a link: its address bar and its title. */
const givenAway = async (page: Page): Promise<string> => `${page.url()} ${await page.title()}`;

test("a user with a device registers, confirms by mail, completes onboarding and sees the device", async ({
  page,
  server,
  mail,
}) => {
  const deviceSnId = await freeDeviceId(server);
  const email = freshEmail("gmx.de");
  await page.goto("/index");
  await page.getByRole("link", { name: "Register", exact: true }).click();
  await register(page, { email, deviceSnId: deviceSnId.toLowerCase(), password });

  await expect(page).toHaveURL(/\/loginEmail\?/);
  await expect(page.getByText(`A password reset email has been sent to ${email}`)).toBeVisible();
  await expect(page.getByRole("link", { name: "Open GMX" })).toHaveAttribute("href", "https://www.gmx.net/");
  await page.reload();
  await expect(page.getByText(email)).toBeVisible();

  const link = linkOf(await mail.next(email));
  await page.goto(link);
  await expect(page).toHaveURL("/login");
  await expect(page.getByRole("status")).toHaveText("Your e-mail address is confirmed. Log in to continue");
  expect(await givenAway(page)).not.toContain(new URL(link).searchParams.get("accessToken"));
  await expect(page.getByLabel("Email")).toHaveValue(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");

  await expect(page).toHaveURL("/personalInformation");
  await page.goto("/alarms");
  await expect(page, "nothing else before that").toHaveURL("/personalInformation");
  await page.getByRole("button", { name: "Save" }).click();
  for (const message of [
    "Enter your company name cannot be blank",
    "Enter industry cannot be blank",
    "Enter your first name cannot be blank",
    "Enter your last name cannot be blank",
  ])
    await expect(page.getByText(message)).toBeVisible();
  await expect(page.getByLabel("Company")).toBeFocused();
  await page.getByLabel("Company").fill("Riverside Works");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("combobox", { name: "Industry" }), "the first that is wrong").toBeFocused();
  await page.getByRole("combobox", { name: "Industry" }).fill("oil");
  await page.getByRole("option", { name: "Oil&Gas" }).click();
  await page.getByLabel("First name").fill("Mary");
  await page.getByLabel("Last name").fill("Okafor");
  await page.getByLabel("Mobile number").fill("+1 (206) 555-010099");
  await expect(page.getByRole("alert").filter({ hasText: "Enter the number" })).toBeVisible();
  await expect(page.getByLabel("Mobile number")).toHaveValue("12065550100");
  await page.getByRole("button", { name: "Save" }).click();

  await expect(page).toHaveURL("/personalInformationCreated");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Congratulations");
  await expect(page.getByRole("link", { name: "Configuration device" })).toBeVisible();
  await page.getByRole("link", { name: "Skip, go to website" }).click();
  await expect(page, "where one wanted to go before").toHaveURL("/alarms");
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("DASHBOARD");
  await expect(page.getByRole("banner")).toContainText(email);
  await expect(rowsOf(page, "Devices", deviceSnId)).toBeVisible();
  for (const closed of ["/login", "/register", "/personalInformation"]) {
    await page.goto(closed);
    await expect(page, `${closed} is for others`).toHaveURL("/");
  }
});

test("all field errors are shown at once, and the first invalid field has the focus", async ({ page }) => {
  await page.goto("/register");
  await page.getByLabel("Email").press("Enter");
  for (const message of [
    "Please enter a valid email address",
    "Please enter a Device ID",
    "Password must be a minimum of 8 characters",
    "Please agree with Terms of Use and Privacy Policy",
  ])
    await expect(page.getByText(message)).toBeVisible();
  await expect(page.getByLabel("Email")).toBeFocused();
  await page.getByLabel("Email").fill("m.okafor@riverside.example");
  await expect(page.getByText("Please enter a valid email address")).toBeHidden();
  await page.getByLabel("Device ID").fill("7C9EBD000000");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Confirm password").fill("not the same");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Passwords do not match")).toBeVisible();
  await expect(page.getByLabel("Confirm password")).toBeFocused();
  await page.getByLabel("Confirm password").fill(password);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("checkbox")).toBeFocused();
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "Register" }).click();
  await expect(page.getByRole("alert")).toContainText("There is no device with this ID");
  const [terms] = await Promise.all([
    page.waitForEvent("popup"),
    page.getByRole("link", { name: "Terms of Use", exact: true }).click(),
  ]);
  await expect(terms.getByRole("heading", { level: 1 })).toHaveText("Terms of Use");
  await terms.close();
  await expect(page.getByLabel("Email"), "what was typed is still there").toHaveValue("m.okafor@riverside.example");
});

test("a used link, or another user's, shows an error on the login page with what to do next", async ({
  page,
  server,
  mail,
}) => {
  const email = freshEmail();
  await register(page, { email, deviceSnId: await freeDeviceId(server), password });
  await expect(page).toHaveURL(/\/loginEmail\?/);
  const link = linkOf(await mail.next(email));
  const foreign = new URL(link);
  foreign.searchParams.set("email", "somebody.else@riverside.example");
  await page.goto(foreign.href);
  await expect(page.getByRole("alert")).toContainText(used);
  await page.goto(link);
  await expect(page.getByRole("status"), "it is still unused").toContainText("is confirmed");
  await page.goto(link);
  await expect(page.getByRole("alert")).toContainText(used);
  await page.reload();
  await expect(page.getByRole("alert"), "still there").toContainText(used);
  await page.getByRole("link", { name: "Resend" }).click();
  await expect(page).toHaveURL(/\/loginEmail\?/);
  await expect(page.getByText(email)).toBeVisible();
  await page.goBack();
  await page.getByRole("alert").getByRole("link", { name: "Register" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Register");
});

test("a link that did not reach the server is still valid, and the login page says so", async ({
  page,
  server,
  mail,
}) => {
  const email = freshEmail();
  await register(page, { email, deviceSnId: await freeDeviceId(server), password });
  const link = linkOf(await mail.next(email));
  await abortCall(page, registration.confirm);
  await page.goto(link);
  await expect(page.getByRole("alert")).toContainText("Network is busy. Open the link in the mail again");
  await restoreCall(page, registration.confirm);
  await page.goto(link);
  await expect(page.getByRole("status")).toContainText("is confirmed");
});

test("the mail can be resent after a minute, and only the latest link works", async ({ page, server, mail }) => {
  const email = freshEmail();
  await page.clock.install();
  await register(page, { email, deviceSnId: await freeDeviceId(server), password });
  const first = linkOf(await mail.next(email));
  await expect(page.getByRole("button", { name: /^Resend in \d+ s$/ })).toBeDisabled();
  await page.clock.fastForward(61_000);
  await page.getByRole("button", { name: "Resend", exact: true }).click();
  await expect(page.getByRole("button", { name: /^Resend in \d+ s$/ })).toBeDisabled();
  const second = linkOf(await mail.next(email));
  await page.goto(first);
  await expect(page.getByRole("alert")).toContainText(used);
  await page.goto(second);
  await expect(page.getByRole("status")).toContainText("is confirmed");
});

test("a registered address is not disclosed on screen; its owner is informed by mail", async ({
  page,
  server,
  mail,
}) => {
  const email = await addOwner(server, password);
  await register(page, { email, deviceSnId: await freeDeviceId(server), password: "another one" });
  await expect(page.getByText(`A password reset email has been sent to ${email}`)).toBeVisible();
  const letter = await mail.next(email);
  expect(letter.subject).toBe("You have an account already");
  await page.goto(linkOf(letter));
  await logIn(page, email, password);
  await expect(page).toHaveURL("/personalInformation");
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL("/index");
});

test("the pages of mailed links are left by loading a document, which the server may redirect to the mobile site", async ({
  page,
}) => {
  const email = freshEmail();
  for (const [address, name] of [
    ["/register", "Log IN"],
    [`/loginEmail?email=${email}`, "Login"],
    ["/resetPassword", "Back to Log IN"],
    ["/agreement?type=1", "Log IN"],
    [`/forgetEdit?email=${email}&accessToken=none`, "Telltale"],
  ] as const) {
    await page.goto(address);
    const leaving = page.waitForRequest((request) => request.isNavigationRequest());
    await page.getByRole("link", { name, exact: true }).click();
    expect(new URL((await leaving).url()).pathname, address).toMatch(/^\/(login|index)$/);
  }
});

test("a server that sends its mails shows none of them", async ({ page }) => {
  await page.goto("/login");
  await expect(page.getByRole("link", { name: "Register" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Outbox" })).toHaveCount(0);
  await page.goto("/outbox");
  await expect(page.getByRole("main")).toContainText("There is no page at this address");
});
