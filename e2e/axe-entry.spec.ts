import type { Page } from "@playwright/test";
import { Code } from "@telltale/contract/call/codes";
import { accounts } from "@telltale/contract/domains/people/accounts";
import { checkWithTouch, errorsOf } from "./accessibility.ts";
import { addressesOf } from "./answers.ts";
import { expect, test } from "./harness.ts";
import { logIn } from "./mailing.ts";

test.describe.configure({ timeout: 180_000 });

test("the public pages are accessible, fit the screen and log no errors", async ({ page }) => {
  const validationErrors = errorsOf(page);
  await page.goto("/index");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await checkWithTouch(page, "landing page");
  await page.goto("/login");
  await page.getByRole("button", { name: "Log IN" }).click();
  await expect(page.getByRole("alert")).toBeVisible();
  await checkWithTouch(page, "login with a complaint");
  await page.goto("/firstOwner?secret=none");
  await page.getByRole("button", { name: "Create" }).click();
  await checkWithTouch(page, "first owner with complaints");
  expect(validationErrors).toEqual([]);
});

const complain = async (page: Page, address: string, button: string, validationError: string): Promise<void> => {
  await page.goto(address);
  await page.getByRole("button", { name: button }).click();
  await expect(page.getByText(validationError).first()).toBeVisible();
  await checkWithTouch(page, `${address} with complaints`);
};

const open = async (page: Page, address: string, sentence: string): Promise<void> => {
  await page.goto(address);
  await expect(page.getByRole("main")).toContainText(sentence);
  await checkWithTouch(page, address);
};

const email = `maximiliane.featherstonehaugh-okafor@a-long-subdomain.riverside-works.example`;

test("the registration and reset pages are accessible, fit the screen and log no errors", async ({ page }) => {
  const validationErrors = errorsOf(page);
  await complain(page, "/register", "Register", "Please enter a Device ID");
  await open(page, `/register?email=${email}&accessToken=none`, "used or is too old");
  await open(page, `/loginEmail?email=${email}`, email);
  await open(page, `/confirm?email=${email}&accessToken=none`, "used or is too old");
  await open(page, `/contact?email=${email}&accessToken=none`, "used or is too old");
  await complain(page, "/resetPassword", "Send", "Enter the email address associated with your account");
  await open(page, `/resetPasswordEmail?email=${email}`, email);
  await complain(page, `/forgetEdit?email=${email}&accessToken=none`, "Reset password", "no less than 8 characters");
  expect(validationErrors).toEqual([]);
});

test("agreements, outbox and onboarding are accessible, fit the screen and log no errors", async ({ page, server }, {
  project,
}) => {
  const validationErrors = errorsOf(page);
  await open(page, "/agreement?type=1", "A monitor is not a safeguard");
  await open(page, "/agreement?type=2", "Your rights");
  await open(page, "/outbox", "Outbox");
  await page.route(addressesOf(accounts.login), (route) => route.fulfill({ json: { code: Code.codeNeeded, msg: "" } }));
  await page.goto("/login");
  await logIn(page, email, "long enough");
  await expect(page.getByLabel("Code", { exact: true })).toBeVisible();
  await checkWithTouch(page, "login with a code");
  await page.unroute(addressesOf(accounts.login));

  const newcomer = `${project.name}.${email}`;
  await server.telltale("users", "add", "--email", newcomer, "--password", "long enough", "--owner");
  await page.reload();
  await logIn(page, newcomer, "long enough");
  await page.waitForURL("/personalInformation");
  await complain(page, "/personalInformation", "Save", "Enter industry cannot be blank");
  await page.getByRole("combobox", { name: "Industry" }).fill("o");
  await expect(page.getByRole("option", { name: "Oil&Gas" })).toBeVisible();
  await checkWithTouch(page, "personal information with a list");
  await page.goto("/personalInformationCreated");
  await expect(page.getByRole("link", { name: "Configuration device" })).toBeVisible();
  await checkWithTouch(page, "congratulations");
  expect(validationErrors).toEqual([]);
});
