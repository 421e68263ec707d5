import { expect, test } from "./harness.ts";
import { emailOf, openSignedIn } from "./people.ts";

const openLink = async (page: import("@playwright/test").Page, search: string) => {
  await page.goto(`/adminLogin${search}`);
  return page.getByRole("alert");
};

test("a support link without a token, or with an invalid one, says what to do", async ({ page }) => {
  for (const search of ["", "?token="]) {
    const message = await openLink(page, search);
    await expect(message).toContainText("The support link is incomplete: open the complete link you were given");
    await expect(message).toContainText("The operator of this server creates a new link");
  }
  for (const search of ["?token=nobody-was-given-this", "?token=12345", `?token=${"a".repeat(43)}`]) {
    const message = await openLink(page, search);
    await expect(message).toContainText("This support link has been used or is too old. Please ask for a new one");
  }
  await expect(page).toHaveURL(/\/adminLogin/);
  await page.getByRole("link", { name: "log in" }).click();
  await expect(page).toHaveURL("/login");
});

test("a support link is single-use; opened again it says so, and leaves the browser's session unchanged", async ({
  page,
  server,
}) => {
  const [{ link }] = (await server.telltale("support-link", "--email", emailOf("owner"))) as [{ link: string }];
  const { pathname, search } = new URL(link);
  await page.goto(`${pathname}${search}`);
  await expect(page.getByText("Read-only support view")).toBeVisible();
  await page.context().clearCookies();
  await openSignedIn(page, server);
  const message = await openLink(page, search);
  await expect(message).toContainText("This support link has been used");
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("DASHBOARD");
});
