import type { Page } from "@playwright/test";
import { alerts } from "@telltale/contract/alerts";
import { Code, Message } from "@telltale/contract/codes";
import { dashboards } from "@telltale/contract/dashboards";
import { expect, test } from "./harness.ts";
import { emailOf, enter, password } from "./people.ts";
import { dialogOf, tileOf, windowOf } from "./screen.ts";
import { addUnit, reportOnce } from "./unit.ts";

/** A warning at the top right: the sentence and nothing else. */
const warning = (page: Page, sentence: string) =>
  page.getByRole("alert").filter({ hasText: new RegExp(`^${sentence}$`) });

/** Any address of this call. */
const addressesOf = ({ path }: { path: string }) => new RegExp(`${path}(\\?|$)`);

const signIn = async (page: Page, email: string, secret: string): Promise<void> => {
  await page.getByLabel("Email").fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill(secret);
  await page.getByRole("button", { name: "Log IN" }).click();
};

const confirmFirst = async (page: Page, device: string): Promise<void> => {
  await windowOf(page, device).getByRole("button").click();
  await dialogOf(page, "Confirm alert").getByRole("button", { name: "Confirm", exact: true }).click();
};

test("a wrong password is said on the login page, without telling whether the e-mail is known", async ({ page }) => {
  await page.goto("/login");
  await page.getByRole("button", { name: "Log IN" }).click();
  await expect(page.getByRole("alert")).toHaveText("Please enter username and password");
  for (const email of [emailOf("owner"), "nobody@example.com"]) {
    await signIn(page, email, "not the password");
    await expect(page.getByRole("alert")).toHaveText("The e-mail address or the password is not right");
    await page.reload();
  }
  await signIn(page, emailOf("viewer"), password);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("DASHBOARD");
});

test("after signing in one is where one wanted to go", async ({ page }) => {
  await page.goto("/alarms?status=3");
  await expect(page).toHaveURL("/index");
  await page.getByRole("link", { name: "Log IN" }).first().click();
  await signIn(page, emailOf("owner"), password);
  await expect(page).toHaveURL("/alarms?status=3");
});

test("a session that the server no longer knows ends with a word, at the login", async ({ page, server }) => {
  await enter(page, server);
  const link = page.getByRole("navigation", { name: "Main menu" }).getByRole("link", { name: "ALERT" });
  // In one go: what the page fetches by itself would find out first.
  await link.evaluate((element: HTMLElement) => {
    localStorage.setItem("telltale-token", "a-token-nobody-was-given");
    element.click();
  });
  await expect(page).toHaveURL("/login");
  await expect(warning(page, Message.loginAgain)).toBeVisible();
  await expect(warning(page, Message.loginAgain), "said once").toHaveCount(1);
  expect(await page.evaluate(() => localStorage.getItem("telltale-token"))).toBeNull();
});

test("what the server refuses is a warning with its sentence, and the dialog stays", async ({ page, server }) => {
  const unit = await addUnit(server);
  await reportOnce(server, unit, { AI1: 99 });
  await enter(page, server);
  const answer = { code: Code.conflict, msg: "Somebody else is doing this right now", result: null };
  await page.route(addressesOf(alerts.confirm), (route) => route.fulfill({ json: answer }));
  await confirmFirst(page, unit.name);
  await expect(warning(page, answer.msg)).toBeVisible();
  await expect(windowOf(page, unit.name)).toBeVisible();

  await page.unroute(addressesOf(alerts.confirm));
  await dialogOf(page, "Confirm alert").getByRole("button", { name: "Confirm", exact: true }).click();
  await expect(windowOf(page, unit.name)).toBeHidden();
});

test("an answer other than 200 is 'Server is busy', no answer is 'Network is busy'", async ({ page, server }) => {
  const unit = await addUnit(server);
  await reportOnce(server, unit, { AI1: 99 });
  await enter(page, server);
  await page.route(addressesOf(alerts.confirm), (route) => route.fulfill({ status: 503, body: "out of order" }));
  await confirmFirst(page, unit.name);
  await expect(warning(page, Message.serverBusy)).toBeVisible();
  await page.route(addressesOf(alerts.confirm), (route) => route.abort("connectionrefused"));
  await dialogOf(page, "Confirm alert").getByRole("button", { name: "Confirm", exact: true }).click();
  await expect(warning(page, Message.networkBusy)).toBeVisible();
  await expect(windowOf(page, unit.name)).toBeVisible();
});

test("a dashboard that fails to load says why in its place, and loads when asked again", async ({ page, server }) => {
  const answer = { code: Code.notFound, msg: "This dashboard was deleted", result: null };
  await page.route(addressesOf(dashboards.tiles), (route) => route.fulfill({ json: answer }));
  await enter(page, server);
  const failure = page.getByRole("main").getByRole("alert").filter({ hasText: answer.msg });
  await expect(failure).toBeVisible();
  await page.unroute(addressesOf(dashboards.tiles));
  await failure.getByRole("button", { name: "Try again" }).click();
  await expect(tileOf(page, "Discharge pressure", "Pump house 2")).toBeVisible();
});

test("code 110 is no error: tiles without a unit part show N/A", async ({ page, server }) => {
  const answer = { code: Code.noUnitPart, msg: "", result: null };
  await page.route(addressesOf(dashboards.unitPart), (route) => route.fulfill({ json: answer }));
  await enter(page, server);
  const motor = page.getByRole("region", { name: "Channels" }).getByTitle("Feed pump drive", { exact: true });
  await expect(motor).toContainText("N/A");
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("a list that fails says so in its place, and loads when asked again", async ({ page, server }) => {
  await enter(page, server);
  await page.route(addressesOf(alerts.log), (route) => route.fulfill({ status: 500, body: "" }));
  await page.goto("/alarms");
  const failure = page.getByRole("main").getByRole("alert").filter({ hasText: Message.serverBusy });
  await expect(failure).toBeVisible();
  await page.unroute(addressesOf(alerts.log));
  await failure.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("table", { name: "Alerts" }).getByRole("row").nth(1)).toBeVisible();
});
