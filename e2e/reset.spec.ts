import { addOwner, expect, freshEmail, linkOf, logIn, test } from "./mailing.ts";

const password = "long enough";
const newPassword = "even longer";

test("a forgotten password is reset by a single-use mailed link, and the old one stops working", async ({
  page,
  server,
  mail,
}) => {
  const email = await addOwner(server, password);
  await page.goto("/login");
  await page.getByRole("link", { name: "Forgot password" }).click();
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText("Enter the email address associated with your account")).toBeVisible();
  await page.getByLabel("Email").fill(email);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/resetPasswordEmail\?/);
  await expect(page.getByText(`A password reset email has been sent to ${email}`)).toBeVisible();

  const link = linkOf(await mail.next(email));
  await page.goto(link);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Reset password");
  const secret = new URL(link).searchParams.get("accessToken") ?? "";
  expect(`${page.url()} ${await page.title()}`).not.toContain(secret);
  await page.getByLabel("New password").fill("short");
  await page.getByLabel("Confirm password").fill("different");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Set a password of no less than 8 characters")).toBeVisible();
  await expect(page.getByText("Passwords do not match")).toBeVisible();
  await expect(page.getByLabel("New password")).toBeFocused();
  await page.reload();
  await page.getByLabel("New password").fill(newPassword);
  await page.getByLabel("Confirm password").fill(newPassword);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/login");
  await expect(page.getByRole("status")).toHaveText("The new password is set. Log in with it");
  await logIn(page, email, password);
  await expect(page.getByRole("alert")).toHaveText("The e-mail address or the password is not right");
  await page.getByLabel("Password", { exact: true }).fill(newPassword);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/personalInformation");
});

test("a used reset link says so and links to requesting a new one", async ({ page, server, mail }) => {
  const email = await addOwner(server, password);
  const set = async () => {
    await page.getByLabel("New password").fill(newPassword);
    await page.getByLabel("Confirm password").fill(newPassword);
    await page
      .getByRole("button", { name: /password$/ })
      .last()
      .click();
  };
  await page.goto("/resetPassword");
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Send" }).click();
  const link = linkOf(await mail.next(email));
  await page.goto(`${link}&set`);
  await expect(page.getByRole("heading", { level: 1 }), "for a user without a password").toHaveText("Set password");
  await set();
  await expect(page).toHaveURL("/login");
  await page.goto(link);
  await set();
  await expect(page.getByRole("alert")).toContainText("This link has been used or is too old");
  await page.getByRole("link", { name: "Ask for a new one" }).click();
  await expect(page.getByLabel("Email")).toHaveValue(email);
  await page.goto("/forgetEdit");
  await set();
  await expect(page.getByRole("alert")).toContainText("The link is incomplete");
});

test("an address without an account gets the same page and no mail", async ({ page, mail }) => {
  const email = freshEmail();
  await page.goto("/resetPassword");
  await page.getByLabel("Email").fill(email);
  await page.keyboard.press("Enter");
  await expect(page.getByText(`A password reset email has been sent to ${email}`)).toBeVisible();
  await page.waitForTimeout(2_000);
  expect(mail.unread(email)).toBe(0);
});
