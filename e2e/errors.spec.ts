import type { Page } from "@playwright/test";
import { Code, Message } from "@telltale/contract/call/codes";
import { alerts } from "@telltale/contract/domains/alerts";
import { orders } from "@telltale/contract/domains/billing";
import { dashboards } from "@telltale/contract/domains/dashboard/dashboards";
import { devices } from "@telltale/contract/domains/devices";
import { downloads } from "@telltale/contract/domains/readings/downloads";
import {
  abortCall,
  addressesOf,
  failCall,
  refuseCall,
  restoreCall,
  showPaymentsDue,
  tryAgain,
  warning,
} from "./answers.ts";
import { expect, test } from "./harness.ts";
import { clientOf, emailOf, injectSession, openSignedIn, password } from "./people.ts";
import { dialogOf, tileOf, windowOf } from "./screen.ts";
import type { RunningServer } from "./server-process.ts";
import { addUnit, freshName, reportOnce } from "./unit.ts";

const signIn = async (page: Page, email: string, secret: string): Promise<void> => {
  await page.getByLabel("Email").fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill(secret);
  await page.getByRole("button", { name: "Log IN" }).click();
};

test("a wrong password shows an error that does not reveal whether the e-mail is registered", async ({ page }) => {
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

test("after signing in the requested page opens", async ({ page }) => {
  await page.goto("/alarms?status=3");
  await expect(page).toHaveURL("/index");
  await page.getByRole("link", { name: "Log IN" }).first().click();
  await signIn(page, emailOf("owner"), password);
  await expect(page).toHaveURL("/alarms?status=3");
});

test("a session that the server no longer accepts ends with a message on the login page", async ({ page, server }) => {
  await openSignedIn(page, server);
  const link = page.getByRole("navigation", { name: "Main menu" }).getByRole("link", { name: "ALERT", exact: true });
  // In one step: otherwise a fetch of the page itself would detect it first.
  await link.evaluate((element: HTMLElement) => {
    localStorage.setItem("telltale-token", "a-token-nobody-was-given");
    element.click();
  });
  await expect(page).toHaveURL("/login");
  await expect(warning(page, Message.loginAgain)).toBeVisible();
  await expect(warning(page, Message.loginAgain), "shown once").toHaveCount(1);
  expect(await page.evaluate(() => localStorage.getItem("telltale-token"))).toBeNull();
  await page.goBack();
  await expect(page, "also what is gone back to").toHaveURL("/login");
});

/** Creates an unconfirmed alert on the dashboard and opens its dialog. */
const openAlert = async (page: Page, server: RunningServer) => {
  const unit = await addUnit(server);
  await reportOnce(server, unit, { AI1: 99 });
  await openSignedIn(page, server);
  await windowOf(page, unit.name).getByRole("button").click();
  const dialog = dialogOf(page, "Confirm alert");
  await expect(dialog).toBeVisible();
  return { alert: windowOf(page, unit.name), confirm: dialog.getByRole("button", { name: "Confirm", exact: true }) };
};

/** Calls of every kind, and the actions that make the console call them. */
const occasions: Record<string, (page: Page, server: RunningServer) => Promise<unknown>> = {
  "a list": async (page, server) => {
    await openSignedIn(page, server);
    await refuseCall(page, devices.list, Code.notSignedIn, "Your token is too old");
    await page
      .getByRole("navigation", { name: "Main menu" })
      .getByRole("link", { name: "DEVICES", exact: true })
      .click();
  },
  "an action": async (page, server) => {
    const { confirm } = await openAlert(page, server);
    await refuseCall(page, alerts.confirm, Code.notSignedIn, "Your token is too old");
    await confirm.click();
  },
  "a form": async (page, server) => {
    await showPaymentsDue(page);
    await openSignedIn(page, server);
    await refuseCall(page, orders.create, Code.notSignedIn, "Your token is too old");
    await page
      .getByRole("button", { name: /^Pay for/ })
      .first()
      .click();
    await page.getByRole("button", { name: "Continue to payment" }).click();
  },
  "a file": async (page, server) => {
    await injectSession(page, server);
    await page.goto("/devices");
    await refuseCall(page, downloads.package, Code.notSignedIn, "Your token is too old");
    await page.route(addressesOf(downloads.packages), (route) =>
      route.fulfill({
        json: { code: 0, msg: "", result: [{ packLogId: 1, packMonthUs: "October", packYear: 2026, packUrl: "" }] },
      }),
    );
    await page.getByRole("button", { name: "Download data" }).click();
    for (const [field, option] of [
      ["DEVICE", "Pump house 2"],
      ["DATA", "Consolidated data"],
      ["DATA PACKAGE", "October"],
    ] as const) {
      await page.getByRole("combobox", { name: field, exact: true }).click();
      await page.getByRole("option", { name: option }).first().click();
    }
    await page.getByRole("dialog").getByRole("button", { name: "Download data" }).click();
  },
};

for (const [kind, call] of Object.entries(occasions)) {
  test(`code 401 of ${kind} clears the token and leads to the login with the specified warning`, async ({
    page,
    server,
  }) => {
    await call(page, server);
    await expect(page).toHaveURL("/login");
    await expect(warning(page, "Login failed, please login again")).toHaveCount(1);
    await expect(page.getByText("Your token is too old")).toHaveCount(0);
    expect(await page.evaluate(() => localStorage.getItem("telltale-token"))).toBeNull();
  });
}

test("any other code than 0 is a warning with the server's sentence, and the dialog stays open", async ({
  page,
  server,
}) => {
  const { alert, confirm } = await openAlert(page, server);
  for (const code of [-1, 1, 403, 404, 409, 422, 429, 500]) {
    const sentence = `The server has a reason numbered ${code}`;
    await refuseCall(page, alerts.confirm, code, sentence);
    await confirm.click();
    await expect(warning(page, sentence)).toBeVisible();
    await expect(confirm).toBeVisible();
    await restoreCall(page, alerts.confirm);
  }
  await confirm.click();
  await expect(alert).toBeHidden();
});

test("a refused list, dialog or save warns with the server's sentence, whatever the code", async ({ page, server }) => {
  const owner = await clientOf(server);
  const [choice] = (await owner(dashboards.choices, { name: "Wet well level" })).data;
  const name = freshName("Refused");
  await owner(dashboards.edit, { name, deviceChannelIds: [choice?.deviceChannelId ?? 0] });
  await injectSession(page, server);
  const saves: string[] = [];
  page.on("request", (request) => {
    if (addressesOf(dashboards.edit).test(request.url())) saves.push(request.url());
  });
  const codes = [-1, 1, 403, 404, 409, 422, 429, 500];
  for (const code of codes) {
    const sentence = (what: string) => `The server has a reason numbered ${code} for the ${what}`;
    await refuseCall(page, dashboards.list, code, sentence("list"));
    await page.goto("/configureDashboard");
    await expect(warning(page, sentence("list"))).toBeVisible();
    await expect(page.getByRole("main").getByRole("alert")).toContainText(sentence("list"));
    await tryAgain(page, dashboards.list, page.getByRole("main"));

    await refuseCall(page, dashboards.info, code, sentence("dialog"));
    await page.getByRole("button", { name: `Edit ${name}` }).click();
    const dialog = dialogOf(page, "Edit dashboard");
    await expect(warning(page, sentence("dialog"))).toBeVisible();
    await tryAgain(page, dashboards.info, dialog);

    await refuseCall(page, dashboards.edit, code, sentence("save"));
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(warning(page, sentence("save"))).toBeVisible();
    await expect(dialog).toBeVisible();
    await restoreCall(page, dashboards.edit);
  }
  expect(saves, "no refused save is sent again by itself").toHaveLength(codes.length);
});

test("an unanswered list shows 'Network is busy' or 'Server is busy' until it is answered", async ({
  page,
  server,
}) => {
  await injectSession(page, server);
  const fail = { "Network is busy": abortCall, "Server is busy": failCall };
  for (const [sentence, away] of Object.entries(fail)) {
    await away(page, dashboards.list);
    await page.goto("/configureDashboard");
    await expect(warning(page, sentence)).toBeVisible();
    // Hovering keeps it on screen.
    await warning(page, sentence).hover();
    await restoreCall(page, dashboards.list);
    // By itself the list is asked for again when a device of the plant changes, and the button is gone then.
    const again = page.getByRole("main").getByRole("button", { name: "Try again" });
    const row = page.getByRole("table", { name: "Dashboards" }).getByRole("row").nth(1);
    await expect(again.or(row).first()).toBeVisible();
    if (await again.isVisible()) await again.press("Enter", { timeout: 5_000 }).catch(() => undefined);
    await expect(warning(page, sentence)).toHaveCount(0);
    await expect(row).toBeVisible();
  }
});

test("code 110 of a GET counts as success", async ({ page, server }) => {
  const { confirm } = await openAlert(page, server);
  await refuseCall(page, alerts.confirm, Code.noUnitPart, "This is not shown");
  await confirm.click();
  await expect(confirm).toBeHidden();
  await expect(page.getByText("This is not shown")).toHaveCount(0);
});

test("an answer other than 200 is 'Server is busy', no answer is 'Network is busy'", async ({ page, server }) => {
  const { alert, confirm } = await openAlert(page, server);
  for (const status of [400, 404, 500, 503]) {
    await failCall(page, alerts.confirm, status);
    await confirm.click();
    await expect(warning(page, "Server is busy")).toBeVisible();
    await page.getByRole("alert").getByRole("button", { name: "Close" }).click();
    await expect(page.getByRole("alert")).toHaveCount(0);
    await restoreCall(page, alerts.confirm);
  }
  await abortCall(page, alerts.confirm);
  await confirm.click();
  await expect(warning(page, "Network is busy")).toBeVisible();
  await expect(alert).toBeVisible();
});

test("a dashboard that fails to load with code -1 says so without the server's words, and can be tried again", async ({
  page,
  server,
}) => {
  await refuseCall(page, dashboards.tiles, -1, "Nobody needs to read this");
  await openSignedIn(page, server);
  const failure = page.getByRole("main").getByRole("alert").filter({ hasText: "The dashboard could not be loaded" });
  await expect(failure).toBeVisible();
  await expect(page.getByText("Nobody needs to read this")).toHaveCount(0);
  await tryAgain(page, dashboards.tiles, failure);
  await expect(tileOf(page, "Discharge pressure", "Pump house 2")).toBeVisible();
});

test("a dashboard that fails to load says why in place, and loads on retry", async ({ page, server }) => {
  await refuseCall(page, dashboards.tiles, Code.notFound, "This dashboard was deleted");
  await openSignedIn(page, server);
  const failure = page.getByRole("main").getByRole("alert").filter({ hasText: "This dashboard was deleted" });
  await expect(failure).toBeVisible();
  await tryAgain(page, dashboards.tiles, failure);
  await expect(tileOf(page, "Discharge pressure", "Pump house 2")).toBeVisible();
});

test("code 110 is no error: tiles without a unit part show N/A", async ({ page, server }) => {
  await refuseCall(page, dashboards.unitPart, Code.noUnitPart, "");
  await openSignedIn(page, server);
  const motor = page.getByRole("region", { name: "Channels" }).getByTitle("Feed pump drive", { exact: true });
  await expect(motor).toContainText("N/A");
  await expect(page.getByRole("alert")).toHaveCount(0);
});
