import { commonPassword } from "@telltale/contract/domains/people/person-fields";
import { expect, freeDeviceId, freshEmail, linkOf, register, test } from "./mailing.ts";
import { password, save, signInAsNewOwner } from "./member.ts";
import { dialogOf } from "./screen.ts";

test("a common password is refused at its field, and another one accepted", async ({ page, server, mail }) => {
  const [email, deviceSnId] = [freshEmail(), await freeDeviceId(server)];
  await register(page, { email, deviceSnId, password: "Password123" });
  await expect(page.getByText(commonPassword)).toHaveCount(1);
  const field = page.getByLabel("Password", { exact: true });
  await expect(field).toBeFocused();
  await register(page, { email, deviceSnId, password });
  await expect(page).toHaveURL(/\/loginEmail\?/);
  expect(linkOf(await mail.next(email))).toContain("/confirm?");
});

test("changing to a common password shows the error at the new password's field, and keeps the input", async ({
  page,
  server,
}) => {
  await signInAsNewOwner(page, server);
  await page.goto("/changePassword");
  await page.getByLabel("Current password").fill(password);
  for (const label of ["New password", "Confirm new password"])
    await page.getByLabel(label, { exact: true }).fill("Passw0rd");
  await save(page);
  await expect(page.getByText(commonPassword)).toHaveCount(1);
  await expect(page.getByLabel("New password", { exact: true })).toBeFocused();
});

test("a name that contains an address is refused at its field, and the mail shows who invites", async ({
  page,
  server,
  mail,
}) => {
  const owner = await signInAsNewOwner(page, server);
  const email = freshEmail();
  await page.goto("/configureUsers");
  await page.getByRole("button", { name: "Add user" }).click();
  const dialog = dialogOf(page, "Add user");
  await dialog.getByLabel("First name").fill("www.evil.com");
  await dialog.getByLabel("Last name").fill("Berg");
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByRole("combobox", { name: "Type" }).click();
  await page.getByRole("option", { name: "Admin", exact: true }).click();
  await dialog.getByRole("button", { name: "Next" }).click();
  await expect(dialog.getByText("A name can't hold a web or e-mail address. Write a space after a dot")).toBeVisible();
  await dialog.getByLabel("First name").fill("Iris");
  await dialog.getByRole("button", { name: "Next" }).click();
  await dialog.getByRole("button", { name: "Confirm", exact: true }).click();
  const { text } = await mail.next(email);
  expect(text).toContain(owner);
  expect(text).toMatch(/“.+” on Telltale as Admin/);
});
