import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "@playwright/test";
import { accounts } from "@telltale/contract/domains/people/accounts";
import { addressesOf } from "./answers.ts";
import { expect, test } from "./harness.ts";
import { emailOf, enter } from "./people.ts";
import { dialogOf } from "./screen.ts";

/** Longer than the socket takes to learn that its sign-in has ended. */
const slowly = 1500;

/** Has the answer of a call come late, as over a bad mobile connection: the server has done it long before. */
const delay = (page: Page, call: { path: string }): Promise<unknown> =>
  page.route(addressesOf(call), async (route) => {
    // Asked from here: what the browser has of it is gone when the page is left.
    const request = route.request();
    const asked = { method: request.method(), headers: request.headers(), body: request.postData() };
    const response = await fetch(request.url(), asked);
    const [status, contentType] = [response.status, response.headers.get("content-type") ?? ""];
    const body = Buffer.from(await response.arrayBuffer());
    await sleep(slowly);
    await route.fulfill({ status, contentType, body });
  });

/** Every page the browser shows from now on. */
const pathsOf = (page: Page): string[] => {
  const paths: string[] = [];
  page.on("framenavigated", (frame) => paths.push(new URL(frame.url()).pathname));
  return paths;
};

/** Another account of the user's than the one in use; a sign-in goes on in the last one. */
const anotherAccount = (page: Page) =>
  page.getByRole("menuitem").filter({ hasText: "·" }).and(page.locator(":not([aria-current])")).first();

const openMenu = (page: Page) =>
  page
    .getByRole("banner")
    .getByRole("button", { name: emailOf("owner") })
    .click();

test("over a slow network too, a change of account goes there with no word of a lost sign-in", async ({
  page,
  server,
}) => {
  await enter(page, server);
  await expect(page.getByRole("banner")).toContainText("Live");
  await delay(page, accounts.change);
  const paths = pathsOf(page);
  await openMenu(page);
  const name = await anotherAccount(page).locator("b").textContent();
  await anotherAccount(page).click();
  await expect(anotherAccount(page)).toHaveAttribute("aria-busy", "true");
  await expect(page.getByRole("banner")).toContainText(name ?? "");
  expect(paths).not.toContain("/login");
});

test("over a slow network too, signing out leads to the public page with no word of a lost sign-in", async ({
  page,
  server,
}) => {
  await enter(page, server);
  await expect(page.getByRole("banner")).toContainText("Live");
  await delay(page, accounts.signOut);
  const paths = pathsOf(page);
  await openMenu(page);
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await dialogOf(page, "Sign out").getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL("/index");
  expect(paths).not.toContain("/login");
});

test("an account cannot be changed to with a sign-in that has ended: then it is said", async ({ page, server }) => {
  await enter(page, server);
  await openMenu(page);
  await page.route(addressesOf(accounts.change), (route) =>
    route.fulfill({ json: { code: 401, msg: "", result: null } }),
  );
  await anotherAccount(page).click();
  await expect(page).toHaveURL("/login");
  await expect(page.getByRole("alert")).toHaveText("Login failed, please login again");
});
