import { orders } from "@telltale/contract/domains/billing";
import { checkWithTouch, errorsOf } from "./accessibility.ts";
import { expect, test } from "./harness.ts";
import { password, save, signInAsNewOwner } from "./member.ts";
import { clientOf, injectSession, openSignedIn } from "./people.ts";
import { stripes } from "./png.ts";
import { alertOf, dialogOf, rowsOf, windowOf } from "./screen.ts";
import { addUnit, idsOf, reportOnce } from "./unit.ts";

test.describe.configure({ timeout: 180_000 });

test("dashboard, alerts and notifications are accessible, fit the screen and log no errors", async ({
  page,
  server,
}) => {
  const complaints = errorsOf(page);
  const unit = await addUnit(server);
  await reportOnce(server, unit, { AI1: 99, AI2: 7 });
  await openSignedIn(page, server);
  await expect(windowOf(page, unit.name)).toBeVisible();
  await expect(page.getByRole("table", { name: "Devices" }).getByRole("row").nth(1)).toBeVisible();
  await checkWithTouch(page, "dashboard");
  await page.goto("/alarms?status=1");
  await expect(alertOf(page, unit.name)).toBeVisible();
  await checkWithTouch(page, "alert log with a filter");
  await page.goto("/alarms?deviceName=nowhere");
  await expect(page.getByText("No alerts match these filters")).toBeVisible();
  await checkWithTouch(page, "alert log without rows");
  await page.goto("/alarms/notifications");
  await expect(page.getByRole("table", { name: "Notifications" }).getByRole("row").nth(1)).toBeVisible();
  await checkWithTouch(page, "notifications");
  await page.goto("/no/such/page");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page not found");
  await checkWithTouch(page, "page not found");
  expect(complaints).toEqual([]);
});

test("the screens of devices are accessible, fit the screen and log no errors", async ({ page, server }) => {
  const complaints = errorsOf(page);
  const unit = await addUnit(server);
  await reportOnce(server, unit, { AI1: 99, AI2: 7 });
  const { deviceId } = await idsOf(await clientOf(server), unit.deviceSnId);
  await injectSession(page, server);
  await page.goto("/devices?deviceName=pump");
  await expect(rowsOf(page, "Devices", "Booster pump skid")).toBeVisible();
  await checkWithTouch(page, "devices with a filter and sub-devices");
  await page.goto(`/devicesDetail?deviceId=${deviceId}`);
  await expect(page.getByRole("tabpanel", { name: "GRAPHIC" }).getByRole("img")).toBeVisible();
  await expect(page.getByRole("table", { name: "Alert history" }).getByRole("row").nth(1)).toBeVisible();
  await checkWithTouch(page, "device detail with GRAPHIC");
  await page.getByRole("tab", { name: "LIST" }).click();
  await expect(page.getByRole("region", { name: "Readings" })).toContainText("No more data available");
  await checkWithTouch(page, "device detail with LIST");
  const [drive, house] = await Promise.all(
    ["7C9EBD4A6D71", "7C9EBD4A3F12"].map(async (id) => idsOf(await clientOf(server), id)),
  );
  await page.goto(`/configureDevicesAdd?deviceId=${drive?.deviceId}&typeId=6&edit=no`);
  await expect(page.getByRole("table", { name: "Setpoints" }).getByRole("row").nth(5)).toBeVisible();
  await expect(page.getByRole("table", { name: "CURRENT" }).getByRole("row").nth(3)).toBeVisible();
  await checkWithTouch(page, "configuration of a motor controller");
  await page.goto(`/configureDevicesAdd?deviceId=${house?.deviceId}&typeId=4&edit=no`);
  await expect(page.getByRole("region", { name: "Discharge pressure" })).toBeVisible();
  await checkWithTouch(page, "configuration of another device");
  await page.goto(`/devicesDetail?deviceId=${house?.deviceId}&deviceChannelId=${house?.channels.DO1}`);
  await page.getByRole("button", { name: "Sources" }).click();
  await expect(dialogOf(page, "Sources")).toContainText("Wet well gas High");
  await checkWithTouch(page, "sources of a digital output", "[role=dialog]");
  expect(complaints).toEqual([]);
});

test("the account screens are accessible, fit the screen and log no errors", async ({ page, server }) => {
  const complaints = errorsOf(page);
  await signInAsNewOwner(page, server);
  const main = page.getByRole("main");
  for (const path of ["company", "industry", "name", "alias", "cellNumber", "changePassword"]) {
    await page.goto(`/${path}`);
    const [field] = await main.locator("input:visible").all();
    await field?.fill("");
    // An open list of options would cover the button.
    await page.keyboard.press("Escape");
    await save(page);
    await checkWithTouch(page, `${path}, with complaints where it may be blank`);
  }
  await page.goto("/profilePhoto");
  await save(page);
  await checkWithTouch(page, "profile photo with a complaint");
  const buffer = stripes(60, 40, [[90, 120, 150]]);
  await page.getByLabel("Profile photo").setInputFiles({ name: "me.png", mimeType: "image/png", buffer });
  await expect(page.getByRole("slider", { name: "Zoom" })).toBeVisible();
  await checkWithTouch(page, "placing the photo");
  await page.goto("/secondFactor");
  await main.getByRole("button", { name: "Turn on" }).click();
  await checkWithTouch(page, "two-step sign-in with a complaint");
  await main.getByLabel("Current password").fill(password);
  await page.keyboard.press("Enter");
  await expect(main.getByRole("img", { name: /^QR code/ })).toBeVisible();
  await checkWithTouch(page, "the authenticator app's QR code");
  await page.goto("/signIns");
  await expect(page.getByRole("table", { name: "Sessions" })).toContainText("This session");
  await expect(main).toContainText("Support has never viewed this plant");
  await checkWithTouch(page, "sessions");
  await page.goto("/associatedAccount");
  await expect(page.getByRole("table", { name: "Linked Accounts" })).toContainText("Current");
  await checkWithTouch(page, "linked accounts");
  expect(complaints).toEqual([]);
});

test("users and the audit log are accessible and fit the screen", async ({ page, server }) => {
  const complaints = errorsOf(page);
  await injectSession(page, server);
  await page.goto("/configureUsers?type=5");
  await expect(rowsOf(page, "Users", "viewer@telltale.local")).toBeVisible();
  await checkWithTouch(page, "users to configure with a filter");
  await page.getByRole("button", { name: "Edit viewer@telltale.local" }).click();
  await expect(dialogOf(page, "Edit user").getByRole("combobox", { name: "Dashboard" })).toBeVisible();
  await checkWithTouch(page, "edit user", "[role=dialog]");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Add user" }).click();
  await dialogOf(page, "Add user").getByRole("button", { name: "Next" }).click();
  await expect(dialogOf(page, "Add user")).toContainText("Please select a User Type");
  await checkWithTouch(page, "add user with complaints", "[role=dialog]");
  await page.keyboard.press("Escape");
  await page.goto("/users");
  await expect(rowsOf(page, "Users", "viewer@telltale.local")).toBeVisible();
  await checkWithTouch(page, "users");
  await server.telltale("support-link", "--email", "owner@telltale.local");
  await page.goto("/audit");
  await expect(rowsOf(page, "Audit log", "Link for support made").first()).toBeVisible();
  await checkWithTouch(page, "audit log");
  expect(complaints).toEqual([]);
});

test("the purchase and both of its screens are accessible and fit the screen", async ({ page, server }) => {
  const complaints = errorsOf(page);
  const unit = await addUnit(server);
  const { deviceId } = await idsOf(await clientOf(server), unit.deviceSnId);
  await injectSession(page, server);
  await page.goto("/devices?deviceName=compressor");
  await expect(page.getByRole("button", { name: "Pay for Compressor A" })).toBeVisible();
  await checkWithTouch(page, "devices with the pay icon");
  await page.goto(`/devicesDetail?deviceId=${deviceId}`);
  await page.getByRole("button", { name: "PAY", exact: true }).click();
  await expect(dialogOf(page, "Purchase network services")).toContainText("$48.00");
  await checkWithTouch(page, "purchase", "[role=dialog]");
  await dialogOf(page, "Purchase network services").getByRole("button", { name: "Continue to payment" }).click();
  await expect(page.getByRole("button", { name: "Approve" })).toBeVisible();
  await checkWithTouch(page, "sandbox checkout");
  await page.route(`**${orders.settle.path}?*`, (route) => route.fulfill({ json: {} }));
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Server is busy" }).first()).toBeVisible();
  await checkWithTouch(page, "payment that could not be confirmed");
  await page.goto("/sandboxCheckout?paymentId=nothing");
  await expect(page.getByRole("button", { name: "Go back" })).toBeVisible();
  await checkWithTouch(page, "sandbox checkout of nothing");
  expect(complaints).toEqual([]);
});

test("dialogs, menus and filters are accessible and fit the screen", async ({ page, server }) => {
  const complaints = errorsOf(page);
  const unit = await addUnit(server);
  await reportOnce(server, unit, { AI1: 99 });
  await openSignedIn(page, server);
  await windowOf(page, unit.name).getByRole("button").click();
  await expect(dialogOf(page, "Confirm alert")).toBeVisible();
  await checkWithTouch(page, "confirm alert", "[role=dialog]");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.getByRole("button", { name: "CONFIRM ALL ALERTS" }).click();
  await expect(dialogOf(page, "CONFIRM ALL ALERTS")).toBeVisible();
  await checkWithTouch(page, "confirm all alerts", "[role=dialog]");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.getByRole("button", { name: "Add device" }).click();
  await expect(dialogOf(page, "Add device").getByLabel("Device ID")).toBeVisible();
  await dialogOf(page, "Add device").getByRole("button", { name: "Next" }).click();
  await expect(dialogOf(page, "Add device")).toContainText("Device ID cannot be blank");
  await checkWithTouch(page, "add device with a complaint", "[role=dialog]");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Add device" })).toBeFocused();
  await page
    .getByRole("banner")
    .getByRole("button", { name: /@telltale\.local/ })
    .click();
  await expect(page.getByRole("menuitem", { name: "Sign out" })).toBeVisible();
  await checkWithTouch(page, "account menu", "header");
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(dialogOf(page, "Sign out")).toBeVisible();
  await checkWithTouch(page, "sign out", "[role=dialog]");
  await page.goto("/alarms");
  for (const [head, part] of [
    ["STATUS", "html"],
    ["TRIGGERED", "[role=dialog]"],
  ] as const) {
    await page.getByRole("button", { name: `${head}, filter` }).click();
    await expect(
      page.getByRole("dialog", { name: `Filter ${head}` }).getByRole("button", { name: "Apply" }),
    ).toBeVisible();
    await checkWithTouch(page, `filter ${head}`, part);
    await page.keyboard.press("Escape");
  }
  expect(complaints).toEqual([]);
});
