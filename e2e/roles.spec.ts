import type { Page } from "@playwright/test";
import { accounts } from "@telltale/contract/accounts";
import { alerts } from "@telltale/contract/alerts";
import { createClient } from "@telltale/contract/client";
import { Code, Message } from "@telltale/contract/codes";
import { dashboards } from "@telltale/contract/dashboards";
import { expect, test } from "./harness.ts";
import { clientOf, emailOf, enter, type Person } from "./people.ts";
import { alertOf, dialogOf, tileOf, windowOf } from "./screen.ts";
import { addUnit, idsOf, reportOnce } from "./unit.ts";

/** Who sees what in the menu. (spec 1 §6) */
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

/** Goes on as the user's account of this name. */
const goOnAs = async (page: Page, account: string): Promise<void> => {
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

test("each role has the menu of its row in the specification, and starts on the page that fits it", async ({
  page,
  server,
}) => {
  await enter(page, server, "owner");
  const all = await menuOf(page);
  expect(all).toEqual(expect.arrayContaining(["DASHBOARD", "ALERT"]));
  const roles = { admin: "Admin", manager: "Device manager", installer: "Installer", viewer: "Viewer" } as const;
  for (const person of ["admin", "manager", "installer", "viewer"] as const) {
    await enter(page, server, person);
    await goOnAs(page, `${roles[person]} · Riverside Works`);
    await expect(page).toHaveURL(person === "installer" ? "/alarms" : "/");
    expect(await menuOf(page), person).toEqual(all.filter((entry) => specified[entry]?.includes(person)));
  }
});

test("an installer has no dashboard, neither by address nor by call", async ({ page, server }) => {
  await enter(page, server, "installer");
  await expect(page.getByRole("heading", { level: 1, name: "ALERT" })).toBeVisible();
  await page.goto("/");
  await expect(page).toHaveURL("/alarms");
  const installer = await clientOf(server, emailOf("installer"));
  await expect(installer(dashboards.tiles)).rejects.toMatchObject({ code: Code.notAllowed });
});

test("a viewer sees the dashboard assigned to it and nothing beyond", async ({ page, server }) => {
  await enter(page, server, "viewer");
  await expect(tileOf(page, "Pump house door", "Pump house 2")).toBeVisible();
  await expect(tileOf(page, "Feed water flow", "Pump house 2")).toHaveCount(0);
  const unit = await addUnit(server);
  const { deviceId } = await idsOf(await clientOf(server), unit.deviceSnId);
  await page.goto(`/devicesDetail?deviceId=${deviceId}`);
  await expect(page.getByRole("main")).toContainText(Message.notFound);
});

test("who has accounts in several plants changes between them, and sees one plant at a time", async ({
  page,
  server,
}) => {
  await enter(page, server, "owner");
  await goOnAs(page, "Device manager · Hillside Cold Storage");
  await expect(tileOf(page, "Refrigerant pressure", "Store 1")).toBeVisible();
  await expect(tileOf(page, "Discharge pressure", "Pump house 2")).toHaveCount(0);
  await goOnAs(page, "Owner · Riverside Works");
  await expect(tileOf(page, "Discharge pressure", "Pump house 2")).toBeVisible();
});

test("signing out asks first, ends the session on the server too, and leads to the public page", async ({
  page,
  server,
}) => {
  await enter(page, server, "admin");
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

test("a support view shows what the user sees and changes nothing, on the screen and on the server", async ({
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
  await expect(page, "a link opens once").toHaveURL("/login");
});
