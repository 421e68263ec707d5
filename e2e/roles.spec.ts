import type { Page } from "@playwright/test";
import { createClient } from "@telltale/contract/call/client";
import { Code, Message } from "@telltale/contract/call/codes";
import { alerts } from "@telltale/contract/domains/alerts";
import { dashboards } from "@telltale/contract/domains/dashboard/dashboards";
import { accounts } from "@telltale/contract/domains/people/accounts";
import { showPaymentsDue } from "./answers.ts";
import { expect, test } from "./harness.ts";
import { clientOf, emailOf, openSignedIn, openSupportView, type Person } from "./people.ts";
import { alertOf, dialogOf, tileOf, visit, windowOf } from "./screen.ts";
import type { RunningServer } from "./server-process.ts";
import { addUnit, idsOf, reportOnce } from "./unit.ts";

/** Menu entries by role. (spec 1 §6) */
const specified: Readonly<Record<string, readonly Person[]>> = {
  DASHBOARD: ["owner", "admin", "manager", "viewer"],
  ALERT: ["owner", "admin", "manager", "installer", "viewer"],
  DEVICES: ["owner", "admin", "manager", "installer"],
  USERS: ["owner", "admin"],
  CONFIGURATION: ["owner", "admin", "manager", "installer"],
  SMS: ["owner", "admin"],
  SUPPORT: ["owner", "admin", "manager", "installer", "viewer"],
};

const menuOf = async (page: Page): Promise<string[]> => {
  const entries = await page.getByRole("navigation", { name: "Main menu" }).getByRole("link").allTextContents();
  return entries.filter((entry) => entry in specified);
};

/** Switches to the user's account with this name. */
const switchToAccount = async (page: Page, account: string): Promise<void> => {
  await page
    .getByRole("banner")
    .getByRole("button", { name: /@telltale\.local/ })
    .click();
  const entry = page.getByRole("menuitem").filter({ hasText: account });
  if ((await entry.getAttribute("aria-current")) === null) await entry.click();
  else await page.keyboard.press("Escape");
  await expect(page.getByRole("banner")).toContainText(account);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
};

const riverside: Record<Person, string> = {
  owner: "Owner · Riverside Works",
  admin: "Admin · Riverside Works",
  manager: "Device manager · Riverside Works",
  installer: "Installer · Riverside Works",
  viewer: "Viewer · Riverside Works",
};

/** Enters with the role that the user's name states; a sign-in continues in the last used account. */
const enterHome = async (page: Page, server: RunningServer, person: Person): Promise<void> => {
  await openSignedIn(page, server, person);
  await switchToAccount(page, riverside[person]);
};

test("each role has the specified menu and start page", async ({ page, server }) => {
  await enterHome(page, server, "owner");
  const all = await menuOf(page);
  expect(all).toEqual(expect.arrayContaining(["DASHBOARD", "ALERT", "DEVICES"]));
  for (const person of ["admin", "manager", "installer", "viewer"] as const) {
    await enterHome(page, server, person);
    await expect(page).toHaveURL(person === "installer" ? "/alarms" : "/");
    expect(await menuOf(page), person).toEqual(all.filter((entry) => specified[entry]?.includes(person)));
  }
});

test("an installer has no dashboard, neither by address nor by call", async ({ page, server }) => {
  await openSignedIn(page, server, "installer");
  await expect(page.getByRole("heading", { level: 1, name: "ALERT" })).toBeVisible();
  await page.goto("/");
  await expect(page).toHaveURL("/alarms");
  const installer = await clientOf(server, emailOf("installer"));
  await expect(installer(dashboards.tiles)).rejects.toMatchObject({ code: Code.notAllowed });
});

/** Pages by address, and the roles that may open them; others are redirected to their start page. (spec 1 §6) */
const pagesByRole: Readonly<Record<string, readonly Person[]>> = {
  "/": specified.DASHBOARD ?? [],
  "/alarms": specified.ALERT ?? [],
  "/alarms/notifications": specified.ALERT ?? [],
  "/devices": specified.DEVICES ?? [],
  "/devicesHistory": specified.DEVICES ?? [],
  "/users": specified.USERS ?? [],
  "/configureDashboard": ["owner", "admin", "manager"],
  "/dragging": ["owner", "admin", "manager"],
  "/configureAlarm": specified.CONFIGURATION ?? [],
  "/configureEscalation": specified.CONFIGURATION ?? [],
  "/configureAlarmNotifyUser": specified.DEVICES ?? [],
  "/configureDevices": specified.DEVICES ?? [],
  "/configureDevicesAdd": specified.DEVICES ?? [],
  "/configureUsers": specified.USERS ?? [],
  "/audit": ["owner", "admin"],
  "/sms": ["owner", "admin"],
  "/support": specified.SUPPORT ?? [],
  "/orderss": ["owner", "admin"],
  "/paybtn": ["owner", "admin"],
  "/joint": specified.DEVICES ?? [],
  "/jointAdd": specified.DEVICES ?? [],
  "/personal": specified.ALERT ?? [],
  "/personalAdd": specified.ALERT ?? [],
  "/keyboard": specified.ALERT ?? [],
  "/keyboardAdd": specified.ALERT ?? [],
};

/**
 * Who loads the console anew at each address: one who may open every page, and one who may not and starts elsewhere. For the others the console is
 * given the address: the same document is served to everyone, and the same check decides.
 */
const loadingEach: readonly Person[] = ["owner", "installer"];

for (const person of ["owner", "admin", "manager", "installer", "viewer"] as const) {
  test(`by address the ${person} reaches the pages of the role's menu and no other`, async ({ page, server }) => {
    test.setTimeout(300_000); // two dozen pages
    await enterHome(page, server, person);
    const home = person === "installer" ? "/alarms" : "/";
    for (const [path, people] of Object.entries(pagesByRole)) {
      if (loadingEach.includes(person)) await page.goto(path);
      else if (people.includes(person)) await visit(page, path);
      else {
        await page.evaluate((to) => history.pushState(null, "", to), path);
        await page.waitForFunction((to) => location.pathname !== to, path);
      }
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(page, `${person} at ${path}`).toHaveURL(people.includes(person) ? path : home);
    }
  });

  test(`the ${person} ${person === "owner" || person === "admin" ? "can" : "cannot"} open the pay dialog`, async ({
    page,
    server,
  }) => {
    await enterHome(page, server, person);
    await showPaymentsDue(page);
    const pages = person === "installer" ? ["/devices"] : person === "viewer" ? ["/"] : ["/", "/devices"];
    for (const path of pages) {
      await page.goto(path);
      const due = page.getByRole("table", { name: "Devices" }).getByRole("row").filter({ hasText: "Payment Due" });
      await expect(due.first()).toBeVisible();
      const pay = page.getByRole("button", { name: /^Pay for/ });
      if (person !== "owner" && person !== "admin") await expect(pay).toHaveCount(0);
      else {
        await pay.first().click();
        await expect(dialogOf(page, "Purchase network services")).toBeVisible();
      }
    }
  });
}

test("a viewer sees the dashboard assigned to it and nothing beyond", async ({ page, server }) => {
  await openSignedIn(page, server, "viewer");
  await expect(tileOf(page, "Pump house door", "Pump house 2")).toBeVisible();
  await expect(tileOf(page, "Feed water flow", "Pump house 2")).toHaveCount(0);
  const unit = await addUnit(server);
  const { deviceId } = await idsOf(await clientOf(server), unit.deviceSnId);
  await page.goto(`/devicesDetail?deviceId=${deviceId}`);
  await expect(page.getByRole("main")).toContainText(Message.notFound);
});

test("a user with accounts in several plants switches between them, and sees one plant at a time", async ({
  page,
  server,
}) => {
  await openSignedIn(page, server, "owner");
  await switchToAccount(page, "Device manager · Hillside Cold Storage");
  await expect(tileOf(page, "Refrigerant pressure", "Store 1")).toBeVisible();
  await expect(tileOf(page, "Discharge pressure", "Pump house 2")).toHaveCount(0);
  await switchToAccount(page, "Owner · Riverside Works");
  await expect(tileOf(page, "Discharge pressure", "Pump house 2")).toBeVisible();
});

test("signing out asks first, ends the session on the server too, and leads to the public page", async ({
  page,
  server,
}) => {
  await openSignedIn(page, server, "admin");
  const token = await page.evaluate(() => localStorage.getItem("telltale-token") ?? "");
  const client = createClient({ baseUrl: server.baseURL, token: () => token });
  await expect(client(accounts.info)).resolves.toMatchObject({ email: emailOf("admin") });
  await page
    .getByRole("banner")
    .getByRole("button", { name: /@telltale\.local/ })
    .click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  const dialog = dialogOf(page, "Sign out");
  await expect(dialog).toContainText("Are you sure you want to sign out?");
  await dialog.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL("/index");
  await expect(client(accounts.info)).rejects.toMatchObject({ code: Code.notSignedIn });
  await page.goto("/alarms");
  await expect(page).toHaveURL("/index");
});

test("a support view shows what the user sees and is read-only, on the screen and on the server", async ({
  page,
  server,
}) => {
  const unit = await addUnit(server);
  await reportOnce(server, unit, { AI1: 99 });
  const [support] = await server.telltale<{ link: string }[]>("support-link", "--email", emailOf("owner"));
  const link = support?.link ?? "";
  await page.goto(link);
  await expect(page.getByRole("banner")).toContainText("Read-only support view");
  await expect(windowOf(page, unit.name)).toContainText("99.00 bar");
  await expect(windowOf(page, unit.name).getByRole("button"), "no close icon").toHaveCount(0);
  for (const action of ["CONFIRM ALL ALERTS", "Add device"])
    await expect(page.getByRole("button", { name: action })).toHaveCount(0);

  await page.goto("/alarms");
  await expect(alertOf(page, unit.name)).toContainText("Triggered");
  await expect(page.getByRole("button", { name: "CLICK TO CONFRIM" })).toHaveCount(0);

  const token = await page.evaluate(() => localStorage.getItem("telltale-token") ?? "");
  const client = createClient({ baseUrl: server.baseURL, token: () => token });
  const [entry] = await client(alerts.unconfirmed);
  const refusal = { code: Code.notAllowed, message: Message.readOnly };
  await expect(client(alerts.confirm, { alarmLogId: entry?.alarmLogId ?? 0 })).rejects.toMatchObject(refusal);
  await expect(client(alerts.confirmAll)).rejects.toMatchObject(refusal);

  await page.evaluate(() => localStorage.clear());
  await page.goto(link);
  await expect(page.getByRole("alert"), "a link opens once").toContainText("has been used or is too old");
});

test("a support view shows the confirming user's name instead of the confirm button, and can neither pay nor open an account", async ({
  page,
  server,
}) => {
  const [waiting, confirmed] = [await addUnit(server), await addUnit(server)];
  for (const unit of [waiting, confirmed]) await reportOnce(server, unit, { AI1: 99 });
  const owner = await clientOf(server);
  const entry = (await owner(alerts.unconfirmed)).find(({ deviceSnId }) => deviceSnId === confirmed.deviceSnId);
  await owner(alerts.confirm, { alarmLogId: entry?.alarmLogId ?? 0 });
  await openSupportView(page, server);
  await page.goto("/alarms");
  await expect(alertOf(page, confirmed.name).getByRole("cell").last()).toHaveText("Mara Okafor");
  await expect(alertOf(page, waiting.name).getByRole("cell").last(), "not confirmed").toHaveText("--");

  const { deviceId } = await idsOf(owner, confirmed.deviceSnId);
  await page.goto(`/devicesDetail?deviceId=${deviceId}`);
  const history = page.getByRole("table", { name: "Alert history" }).getByRole("row").filter({ hasText: "99.00" });
  await expect(history.getByRole("cell").last()).toHaveText("Mara Okafor");

  await showPaymentsDue(page);
  await page.goto("/devices");
  await expect(page.getByRole("table", { name: "Devices" })).toContainText("Payment Due");
  await expect(page.getByRole("button", { name: /^Pay for/ })).toHaveCount(0);
  await page
    .getByRole("banner")
    .getByRole("button", { name: /@telltale\.local/ })
    .click();
  await expect(page.getByRole("menuitem", { name: "Sign out" })).toBeVisible();
  await expect(page.getByRole("menuitem", { name: "Create a new admin account" })).toHaveCount(0);
});
