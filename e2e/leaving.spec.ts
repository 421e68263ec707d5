import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "@playwright/test";
import { Message } from "@telltale/contract/call/codes";
import { accounts } from "@telltale/contract/domains/people/accounts";
import { addressesOf } from "./answers.ts";
import { expect, test } from "./harness.ts";
import { emailOf, openSignedIn } from "./people.ts";
import { dialogOf } from "./screen.ts";

/** Longer than the socket needs to learn that its session has ended. */
const slowly = 1500;

/** Delays the answer of a call, as on a bad mobile connection: the server has executed it long before. */
const delay = (page: Page, call: { path: string }): Promise<unknown> =>
  page.route(addressesOf(call), async (route) => {
    // Requested from the test: the browser discards it when the page is left.
    const request = route.request();
    const requests = { method: request.method(), headers: request.headers(), body: request.postData() };
    const response = await fetch(request.url(), requests);
    const [status, contentType] = [response.status, response.headers.get("content-type") ?? ""];
    const body = Buffer.from(await response.arrayBuffer());
    await sleep(slowly);
    await route.fulfill({ status, contentType, body });
  });

/** Paths of all pages that the browser shows from now on. */
const pathsOf = (page: Page): string[] => {
  const paths: string[] = [];
  page.on("framenavigated", (frame) => paths.push(new URL(frame.url()).pathname));
  return paths;
};

/** Another account of the user than the current one; a sign-in continues in the last one. */
const anotherAccount = (page: Page) =>
  page.getByRole("menuitem").filter({ hasText: "·" }).and(page.locator(":not([aria-current])")).first();

const openMenu = (page: Page) =>
  page
    .getByRole("banner")
    .getByRole("button", { name: emailOf("owner") })
    .click();

test("switching accounts over a slow network shows no message about a lost session", async ({ page, server }) => {
  await openSignedIn(page, server);
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

test("signing out over a slow network leads to the public page without a message about a lost session", async ({
  page,
  server,
}) => {
  await openSignedIn(page, server);
  await expect(page.getByRole("banner")).toContainText("Live");
  await delay(page, accounts.signOut);
  const paths = pathsOf(page);
  await openMenu(page);
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await dialogOf(page, "Sign out").getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL("/index");
  expect(paths).not.toContain("/login");
});

test("a signed-in user is led on: from /dashboard to the start page, and from a page without access, told once", async ({
  page,
  server,
}) => {
  await openSignedIn(page, server, "viewer");
  await page.goto("/dashboard");
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("DASHBOARD");
  await page.goto("/devicesDetail?deviceId=99999999");
  await expect(page.getByText(Message.notFound)).toHaveCount(1);
  await expect(page.getByRole("button", { name: "Try again" })).toHaveCount(0);
  await page.getByRole("main").getByRole("link", { name: "Start page" }).click();
  await expect(page).toHaveURL("/");
});

test("switching accounts with an ended session shows that the session has ended", async ({ page, server }) => {
  await openSignedIn(page, server);
  await openMenu(page);
  await page.route(addressesOf(accounts.change), (route) =>
    route.fulfill({ json: { code: 401, msg: "", result: null } }),
  );
  await anotherAccount(page).click();
  await expect(page).toHaveURL("/login");
  await expect(page.getByRole("alert")).toHaveText("Login failed, please login again");
});
