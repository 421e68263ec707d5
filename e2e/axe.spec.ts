import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { accounts } from "@telltale/contract/accounts";
import { Code } from "@telltale/contract/codes";
import { orders } from "@telltale/contract/orders";
import { addressesOf } from "./answers.ts";
import { expect, test } from "./harness.ts";
import { logIn } from "./mailing.ts";
import { clientOf, enter } from "./people.ts";
import { alertOf, dialogOf, rowsOf, windowOf } from "./screen.ts";
import { addUnit, idsOf, reportOnce } from "./unit.ts";

test.describe.configure({ timeout: 180_000 });
// Colours are judged at rest, not half way through a transition.
test.use({ contextOptions: { reducedMotion: "reduce" } });

/** What axe finds wrong. The dark theme has the same structure: there only the colours are judged again. */
const violationsOf = async (page: Page, colorScheme: string, part: string): Promise<string[]> => {
  const axe = new AxeBuilder({ page }).include(part);
  const { violations } = await (colorScheme === "dark" ? axe.withRules("color-contrast") : axe).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target}: ${failureSummary}`),
  );
};

const sidewaysExcess = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Everything the browser complains of from now on. */
const complaintsOf = (page: Page): string[] => {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(`${message.text()} ${page.url()}`);
  });
  page.on("pageerror", (error) => complaints.push(error.stack ?? error.message));
  return complaints;
};

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(`in the ${colorScheme} theme`, () => {
    test.use({ colorScheme });

    /** What is on screen now: no violation of axe in this part of it, and nothing that makes the page scroll sideways. */
    const check = (page: Page, screen: string, part = "html"): Promise<void> =>
      test.step(screen, async () => {
        expect.soft(await violationsOf(page, colorScheme, part), screen).toEqual([]);
        expect.soft(await sidewaysExcess(page), `${screen} scrolls sideways by so many pixels`).toBe(0);
      });

    test("the public pages are accessible, fit the screen and complain of nothing", async ({ page }) => {
      const complaints = complaintsOf(page);
      await page.goto("/index");
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await check(page, "landing page");
      await page.goto("/login");
      await page.getByRole("button", { name: "Log IN" }).click();
      await expect(page.getByRole("alert")).toBeVisible();
      await check(page, "login with a complaint");
      await page.goto("/firstOwner?secret=none");
      await page.getByRole("button", { name: "Create" }).click();
      await check(page, "first owner with complaints");
      expect(complaints).toEqual([]);
    });

    test("the pages before the first screen are accessible, fit the screen and complain of nothing", async ({
      page,
      server,
    }) => {
      const complaints = complaintsOf(page);
      const email = `maximiliane.featherstonehaugh-okafor.${colorScheme}@a-long-subdomain.riverside-works.example`;
      const complain = async (address: string, button: string, complaint: string) => {
        await page.goto(address);
        await page.getByRole("button", { name: button }).click();
        await expect(page.getByText(complaint).first()).toBeVisible();
        await check(page, `${address} with complaints`);
      };
      const open = async (address: string, sentence: string) => {
        await page.goto(address);
        await expect(page.getByRole("main")).toContainText(sentence);
        await check(page, address);
      };
      await complain("/register", "Register", "Please enter a Device ID");
      await open(`/register?email=${email}&accessToken=none`, "used or is too old");
      await open(`/loginEmail?email=${email}`, email);
      await open(`/confirm?email=${email}&accessToken=none`, "used or is too old");
      await complain("/resetPassword", "Send", "Enter the email address associated with your account");
      await open(`/resetPasswordEmail?email=${email}`, email);
      await complain(`/forgetEdit?email=${email}&accessToken=none`, "Reset password", "no less than 8 characters");
      await open("/agreement?type=1", "A monitor is not a safeguard");
      await open("/agreement?type=2", "Your rights");
      await open("/outbox", "Outbox");
      await page.route(addressesOf(accounts.login), (route) =>
        route.fulfill({ json: { code: Code.codeNeeded, msg: "" } }),
      );
      await page.goto("/login");
      await logIn(page, email, "long enough");
      await expect(page.getByLabel("Code", { exact: true })).toBeVisible();
      await check(page, "login with a code");
      await page.unroute(addressesOf(accounts.login));

      await server.telltale("users", "add", "--email", email, "--password", "long enough", "--owner");
      await page.reload();
      await logIn(page, email, "long enough");
      await page.waitForURL("/personalInformation");
      await complain("/personalInformation", "Save", "Enter industry cannot be blank");
      await page.getByRole("combobox", { name: "Industry" }).fill("o");
      await expect(page.getByRole("option", { name: "Oil&Gas" })).toBeVisible();
      await check(page, "personal information with a list");
      await page.goto("/personalInformationCreated");
      await expect(page.getByRole("link", { name: "Configuration device" })).toBeVisible();
      await check(page, "congratulations");
      expect(complaints).toEqual([]);
    });

    test("the screens are accessible, fit the screen and complain of nothing", async ({ page, server }) => {
      const complaints = complaintsOf(page);
      const unit = await addUnit(server);
      await reportOnce(server, unit, { AI1: 99, AI2: 7 });
      const { deviceId } = await idsOf(await clientOf(server), unit.deviceSnId);
      await enter(page, server);
      await expect(windowOf(page, unit.name)).toBeVisible();
      await expect(page.getByRole("table", { name: "Devices" }).getByRole("row").nth(1)).toBeVisible();
      await check(page, "dashboard");
      await page.goto("/alarms?status=1");
      await expect(alertOf(page, unit.name)).toBeVisible();
      await check(page, "alert log with a filter");
      await page.goto("/alarms?deviceName=nowhere");
      await expect(page.getByText("No alerts match these filters")).toBeVisible();
      await check(page, "alert log without rows");
      await page.goto("/alarms/notifications");
      await expect(page.getByRole("table", { name: "Notifications" }).getByRole("row").nth(1)).toBeVisible();
      await check(page, "notifications");
      await page.goto("/devices?deviceName=pump");
      await expect(rowsOf(page, "Devices", "Booster pump skid")).toBeVisible();
      await check(page, "devices with a filter and sub-devices");
      await page.goto(`/devicesDetail?deviceId=${deviceId}`);
      await expect(page.getByRole("tabpanel", { name: "GRAPHIC" }).getByRole("img")).toBeVisible();
      await expect(page.getByRole("table", { name: "Alert history" }).getByRole("row").nth(1)).toBeVisible();
      await check(page, "device detail with GRAPHIC");
      await page.getByRole("tab", { name: "LIST" }).click();
      await expect(page.getByRole("region", { name: "Readings" })).toContainText("No more data available");
      await check(page, "device detail with LIST");
      const [drive, house] = await Promise.all(
        ["7C9EBD4A6D71", "7C9EBD4A3F12"].map(async (id) => idsOf(await clientOf(server), id)),
      );
      await page.goto(`/configureDevicesAdd?deviceId=${drive?.deviceId}&typeId=6&edit=no`);
      await expect(page.getByRole("table", { name: "Setpoints" }).getByRole("row").nth(5)).toBeVisible();
      await expect(page.getByRole("table", { name: "CURRENT" }).getByRole("row").nth(3)).toBeVisible();
      await check(page, "configuration of a motor controller");
      await page.goto(`/configureDevicesAdd?deviceId=${house?.deviceId}&typeId=4&edit=no`);
      await expect(page.getByRole("region", { name: "Discharge pressure" })).toBeVisible();
      await check(page, "configuration of another device");
      await page.goto(`/devicesDetail?deviceId=${house?.deviceId}&deviceChannelId=${house?.channels.DO1}`);
      await page.getByRole("button", { name: "Sources" }).click();
      await expect(dialogOf(page, "Sources")).toContainText("Wet well gas High");
      await check(page, "sources of a digital output", "[role=dialog]");
      await page.goto("/no/such/page");
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page not found");
      await check(page, "page not found");
      expect(complaints).toEqual([]);
    });

    test("the purchase and both of its screens are accessible and fit the screen", async ({ page, server }) => {
      const complaints = complaintsOf(page);
      const unit = await addUnit(server);
      const { deviceId } = await idsOf(await clientOf(server), unit.deviceSnId);
      await enter(page, server);
      await page.goto("/devices?deviceName=compressor");
      await expect(page.getByRole("button", { name: "Pay for Compressor A" })).toBeVisible();
      await check(page, "devices with the pay icon");
      await page.goto(`/devicesDetail?deviceId=${deviceId}`);
      await page.getByRole("button", { name: "PAY", exact: true }).click();
      await expect(dialogOf(page, "Purchase network services")).toContainText("$48.00");
      await check(page, "purchase", "[role=dialog]");
      await dialogOf(page, "Purchase network services").getByRole("button", { name: "Continue to payment" }).click();
      await expect(page.getByRole("button", { name: "Approve" })).toBeVisible();
      await check(page, "sandbox checkout");
      await page.route(`**${orders.settle.path}?*`, (route) => route.fulfill({ json: {} }));
      await page.getByRole("button", { name: "Approve" }).click();
      await expect(page.getByRole("alert").filter({ hasText: "Server is busy" })).toBeVisible();
      await check(page, "payment that could not be confirmed");
      await page.goto("/sandboxCheckout?paymentId=nothing");
      await expect(page.getByRole("button", { name: "Go back" })).toBeVisible();
      await check(page, "sandbox checkout of nothing");
      expect(complaints).toEqual([]);
    });

    test("dialogs, menus and filters are accessible and fit the screen", async ({ page, server }) => {
      const complaints = complaintsOf(page);
      const unit = await addUnit(server);
      await reportOnce(server, unit, { AI1: 99 });
      await enter(page, server);
      await windowOf(page, unit.name).getByRole("button").click();
      await expect(dialogOf(page, "Confirm alert")).toBeVisible();
      await check(page, "confirm alert", "[role=dialog]");
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await page.getByRole("button", { name: "CONFIRM ALL ALERTS" }).click();
      await expect(dialogOf(page, "CONFIRM ALL ALERTS")).toBeVisible();
      await check(page, "confirm all alerts", "[role=dialog]");
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await page.getByRole("button", { name: "Add device" }).click();
      await expect(dialogOf(page, "Add device").getByLabel("Device ID")).toBeVisible();
      await dialogOf(page, "Add device").getByRole("button", { name: "Next" }).click();
      await expect(dialogOf(page, "Add device")).toContainText("Device ID cannot be blank");
      await check(page, "add device with a complaint", "[role=dialog]");
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await expect(page.getByRole("button", { name: "Add device" })).toBeFocused();
      await page
        .getByRole("banner")
        .getByRole("button", { name: /@telltale\.local/ })
        .click();
      await expect(page.getByRole("menuitem", { name: "Sign out" })).toBeVisible();
      await check(page, "account menu", "header");
      await page.getByRole("menuitem", { name: "Sign out" }).click();
      await expect(dialogOf(page, "Sign out")).toBeVisible();
      await check(page, "sign out", "[role=dialog]");
      await page.goto("/alarms");
      for (const [head, part] of [
        ["STATUS", "html"],
        ["TRIGGERED", "[role=dialog]"],
      ] as const) {
        await page.getByRole("button", { name: `${head}, filter` }).click();
        await expect(
          page.getByRole("dialog", { name: `Filter ${head}` }).getByRole("button", { name: "Apply" }),
        ).toBeVisible();
        await check(page, `filter ${head}`, part);
        await page.keyboard.press("Escape");
      }
      expect(complaints).toEqual([]);
    });
  });
}
