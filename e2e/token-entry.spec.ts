import type { Page } from "@playwright/test";
import { Code, Message } from "@telltale/contract/call/codes";
import { accounts } from "@telltale/contract/domains/people/accounts";
import { addressesOf, refuseCall, warning } from "./answers.ts";
import { expect, test } from "./harness.ts";
import { openSignedIn } from "./people.ts";

const invalid = "/dashboard?accessToken=nobody-was-given-this";

const storedToken = (page: Page): Promise<string | null> => page.evaluate(() => localStorage.getItem("telltale-token"));

test("an address with an invalid session token leads to the login with the specified warning, told once", async ({
  page,
}) => {
  await page.goto(invalid);
  await expect(page).toHaveURL("/login");
  await expect(warning(page, "Login failed, please login again")).toHaveCount(1);
  expect(await storedToken(page)).toBeNull();
});

test("any other refusal of that token is told with the server's sentence", async ({ page }) => {
  await refuseCall(page, accounts.info, Code.notAllowed, "This user has been removed");
  await page.goto(invalid);
  await expect(page).toHaveURL("/login");
  await expect(warning(page, "This user has been removed")).toHaveCount(1);
});

test("without a token and without a session that address leads to the public page, and asks the server nothing", async ({
  page,
}) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  for (const address of ["/dashboard", "/dashboard?accessToken="]) {
    await page.goto(address);
    await expect(page).toHaveURL("/index");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  }
  expect(asked.filter((url) => addressesOf(accounts.info).test(url))).toEqual([]);
});

test("a link with an invalid token signs nobody out: the session of this browser stays, in every tab", async ({
  page,
  server,
}) => {
  await openSignedIn(page, server);
  const token = await storedToken(page);
  const other = await page.context().newPage();
  await other.goto(`${server.baseURL}/devices`);
  await expect(other.getByRole("heading", { level: 1 })).toHaveText("DEVICES");
  const visited: string[] = [];
  other.on("framenavigated", (frame) => visited.push(frame.url()));

  await page.goto(invalid);
  await expect(warning(page, Message.loginAgain)).toHaveCount(1);
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("DASHBOARD");
  expect(await storedToken(page)).toBe(token);
  expect(visited).toEqual([]);
  await other.close();
});
