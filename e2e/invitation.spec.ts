import { addOwner, expect, freshEmail, linkOf, logIn, test } from "./mailing.ts";
import type { RunningServer } from "./server-process.ts";

const password = "long enough";

const invite = (server: RunningServer, owner: string, email: string, role: string): Promise<unknown> =>
  server.telltale("users", "add", "--invite", "--email", email, "--plant-of", owner, "--role", role);

test("a new user joins by invitation, with a password and no device ID", async ({ page, server, mail }) => {
  const owner = await addOwner(server, password);
  const email = freshEmail();
  await invite(server, owner, email, "viewer");
  const link = linkOf(await mail.next(email));
  await page.goto(link);
  const secret = new URL(link).searchParams.get("accessToken") ?? "";
  await expect(page.getByRole("main")).toContainText(`${owner} invites you to North mill as a Viewer`);
  expect(page.url()).not.toContain(secret);
  await expect(page.getByLabel("Device ID")).toHaveCount(0);
  await page.getByLabel("Password", { exact: true }).fill("short");
  await page.getByLabel("Confirm password").fill("different");
  await page.keyboard.press("Enter");
  for (const message of [
    "Set a password of no less than 8 characters",
    "Passwords do not match",
    "Please agree with Terms of Use and Privacy Policy",
  ])
    await expect(page.getByText(message)).toBeVisible();
  await page.reload();
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Confirm password").fill(password);
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Register" }).click();
  await expect(page).toHaveURL("/login");
  await expect(page.getByRole("status")).toHaveText("Registered successfully");

  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
  await page.getByLabel("Company").fill("Riverside Works");
  await page.getByRole("combobox", { name: "Industry" }).fill("other");
  await page.getByRole("option", { name: "Other" }).click();
  await page.getByLabel("First name").fill("Elena");
  await page.getByLabel("Last name").fill("Petrova");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("link", { name: "Skip, go to website" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Configuration device" }), "not a viewer's").toHaveCount(0);
  await page.getByRole("link", { name: "Skip, go to website" }).click();
  await expect(page.getByRole("banner")).toContainText("Viewer");

  await page.goto(link);
  await expect(page.getByRole("alert")).toContainText("This invitation has been used or is too old");
});

test("a registered user joins with the existing password", async ({ page, server, mail }) => {
  const [owner, email] = [await addOwner(server, password), await addOwner(server, "my own password")];
  await invite(server, owner, email, "admin");
  const link = linkOf(await mail.next(email));
  await page.goto(link);
  await expect(page.getByRole("main")).toContainText("as an Admin");
  await expect(page.getByLabel("Confirm password")).toHaveCount(0);
  await page.getByLabel("Password", { exact: true }).fill("not that one");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toContainText("The password is not that of your account");
  await page.getByLabel("Password", { exact: true }).fill("my own password");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status")).toHaveText("Registered successfully");
  await logIn(page, email, "my own password");
  await expect(page).toHaveURL("/personalInformation");
});
