import type { Page } from "@playwright/test";
import { type IdentityProvider, startIdentityProvider } from "./identity-provider.ts";
import { addOwner, expect, freshEmail, linkOf, test as mailing } from "./mailing.ts";

const test = mailing.extend<object, { provider: IdentityProvider }>({
  provider: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures needed from the pattern
    async ({}, use) => {
      const provider = await startIdentityProvider();
      await use(provider);
      await provider.stop();
    },
    { scope: "worker" },
  ],
  server: [
    async ({ servers, mail, provider }, use) => {
      const env = { ...provider.env, MAIL_URL: mail.url, PASSWORD_LOGIN: "0", PASSWORD_LOGIN_FOR: kept };
      await use(await servers.of("single sign-on", { demo: false, env }, true));
    },
    { scope: "test", timeout: 120_000 },
  ],
});

const kept = "kept@riverside.example";
const password = "long enough";

const signIn = async (page: Page, email: string): Promise<void> => {
  await page.getByRole("button", { name: "Sign in with Riverside Works" }).click();
  await page.getByLabel("Company address").fill(email);
  await page.getByRole("button", { name: "Continue" }).click();
};

test("a user signs in through the company's provider and comes to the page they wanted", async ({ page, server }) => {
  const email = await addOwner(server, password);
  await page.goto("/login");
  await expect(page.getByLabel("Password", { exact: true })).toHaveCount(0);
  await signIn(page, email);
  await expect(page).toHaveURL("/personalInformation");
  await page.getByLabel("Company").fill("Riverside Works");
  await page.getByRole("combobox", { name: "Industry" }).fill("other");
  await page.getByRole("option", { name: "Other" }).click();
  await page.getByLabel("First name").fill("Mary");
  await page.getByLabel("Last name").fill("Okafor");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Skip, go to website" }).click();
  await page.goto("/signIns");
  await expect(page.getByText("by single sign-on")).toBeVisible();

  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await page.getByRole("link", { name: "Log IN" }).first().click();
  // The provider still knows the person and does not ask.
  await page.getByRole("button", { name: "Sign in with Riverside Works" }).click();
  await expect(page).toHaveURL("/signIns");

  // The answer is neither in the address nor usable again.
  await page.goto("/sso?code=x&state=y");
  await expect(page).toHaveURL("/sso");
  await expect(page.getByRole("alert")).toContainText("was begun in another browser, was used, or took too long");
});

test("who was not invited is told whom to ask, and may try as somebody else", async ({ page, server }) => {
  const email = await addOwner(server, password);
  await page.goto("/login");
  await signIn(page, "stranger@riverside.example");
  await expect(page.getByRole("alert")).toContainText(
    "There is no account for stranger@riverside.example on this server. Please ask the owner or an admin of your plant",
  );
  await signIn(page, email);
  await expect(page).toHaveURL("/personalInformation");
});

test("an invitation is accepted through the provider", async ({ page, server, mail }) => {
  const owner = await addOwner(server, password);
  const email = freshEmail();
  await server.telltale("users", "add", "--invite", "--email", email, "--plant-of", owner, "--role", "viewer");
  await page.goto(linkOf(await mail.next(email)));
  await expect(page.getByRole("main")).toContainText(`${owner} invites you to North mill as a Viewer`);
  await expect(page.getByRole("main")).toContainText(`With Riverside Works you join as ${email}`);
  await signIn(page, "stranger@riverside.example");
  await expect(page.getByRole("alert")).toContainText("There is no account for stranger@riverside.example");
  await signIn(page, email);
  await expect(page).toHaveURL("/personalInformation");
});

test("the owner whom the operator named signs in with a password", async ({ page, server }) => {
  await server.telltale("users", "add", "--email", kept, "--password", password, "--owner");
  const other = await addOwner(server, password);
  await page.goto("/login");
  await page.getByRole("button", { name: "Use a password" }).click();
  await page.getByLabel("Email").fill(other);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toHaveText(
    "Passwords are switched off on this server. Please sign in with Riverside Works",
  );
  await page.getByLabel("Email").fill(kept);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/personalInformation");
});
