import type { Page } from "@playwright/test";
import { alerts } from "@telltale/contract/domains/alerts";
import { dashboards } from "@telltale/contract/domains/dashboard/dashboards";
import { devices } from "@telltale/contract/domains/devices";
import { downloads } from "@telltale/contract/domains/readings/downloads";
import { history } from "@telltale/contract/domains/readings/history";
import { addressesOf, failCall, refuseCall, restoreCall } from "./answers.ts";
import { expect, test } from "./harness.ts";
import { clientOf, injectSessionAs } from "./people.ts";
import { rowsOf } from "./screen.ts";
import type { RunningServer } from "./server-process.ts";
import { addUnit, idsOf, reportOnce, type Unit } from "./unit.ts";

// No spontaneous changes: a failed list would be refetched by the next alert of the demonstration.
test.use({ demo: false });

const owner = "keeper@example.com";
const secret = "as long as it lasts";
let unit: Unit;

test.beforeAll(async ({ server }) => {
  await server.telltale("users", "add", "--email", owner, "--password", secret, "--owner");
  unit = await addUnit(server, { owner });
  const since = Date.now();
  const upAndDown = Array.from({ length: 60 }, (_, n) => ({ ts: since + n, values: { AI1: n % 2 === 0 ? 99 : 1 } }));
  await reportOnce(server, unit, upAndDown);
});

const nothing = { data: [], page: 1, total_pages: 0, total: 0 };

interface ListCase {
  path: string;
  call: { path: string };
  /** The server's answer when there are none. */
  none?: unknown;
  /** The text shown then. */
  empty: string | RegExp;
  /** The region of the list on its page. */
  region: string;
  open?: (page: Page) => Promise<void>;
}

const openReadings = (page: Page): Promise<void> => page.getByRole("tab", { name: "LIST" }).click();

const lists: Record<string, ListCase> = {
  "the channels of the dashboard": {
    path: "/",
    call: dashboards.tiles,
    none: [],
    empty: "There are no channels on this dashboard",
    region: "main section[aria-busy=true]",
  },
  "the devices of the dashboard": {
    path: "/",
    call: devices.onDashboard,
    empty: "There are no devices yet",
    region: "table[aria-label=Devices][aria-busy=true]",
  },
  "the alert log": {
    path: "/alarms",
    call: alerts.log,
    none: { ...nothing, notifications: [] },
    empty: "There are no alerts",
    region: "table[aria-label=Alerts][aria-busy=true]",
  },
  "the notifications": {
    path: "/alarms/notifications",
    call: alerts.notifications,
    empty: "There are no notifications",
    region: "table[aria-label=Notifications][aria-busy=true]",
  },
  "the devices": {
    path: "/devices",
    call: devices.list,
    empty: "There are no devices yet",
    region: "table[aria-label=Devices][aria-busy=true]",
  },
  "the devices to configure": {
    path: "/configureDevices",
    call: devices.list,
    empty: "There are no devices yet",
    region: "table[aria-label=Devices][aria-busy=true]",
  },
  "the download history": {
    path: "/devicesHistory",
    call: downloads.history,
    empty: "Nothing has been downloaded yet",
    region: "table[aria-label=Downloads][aria-busy=true]",
  },
  "the alert history of a channel": {
    path: "/devicesDetail",
    call: alerts.ofChannel,
    empty: "There are no alerts",
    region: "table[aria-label='Alert history'][aria-busy=true]",
  },
  "the readings of a channel": {
    path: "/devicesDetail",
    call: history.points,
    // The chart, which the server answers, has readings: so these are kept as summaries only.
    empty: "The readings of this range are kept as summaries of hours, which GRAPHIC shows",
    region: "[aria-label=Readings] table[aria-busy=true]",
    open: openReadings,
  },
};

const addressOf = async (path: string, server: RunningServer): Promise<string> => {
  if (path !== "/devicesDetail") return path;
  const { deviceId } = await idsOf(await clientOf(server, owner, secret), unit.deviceSnId);
  return `${path}?deviceId=${deviceId}`;
};

for (const [name, { path, call, none = nothing, empty, region, open }] of Object.entries(lists)) {
  test(`${name}: loading, error and empty states`, async ({ page, server }) => {
    await injectSessionAs(page, server, owner, secret);
    const main = page.getByRole("main");
    let go = () => {};
    const gone = new Promise<void>((resolve) => {
      go = resolve;
    });
    await page.route(addressesOf(call), async (route) => {
      await gone;
      await route.fulfill({ json: { code: 409, msg: "This list is being written", result: null } });
    });
    await page.goto(await addressOf(path, server));
    await open?.(page);
    await expect(page.locator(region)).toBeVisible();
    await expect(main.getByRole("alert")).toHaveCount(0);
    go();
    const failure = main.getByRole("alert").filter({ hasText: "This list is being written" });
    await expect(failure).toBeVisible();

    // From here each request breaks down, also one that a change of the plant causes before the button is pressed.
    await failCall(page, call);
    await main.getByRole("alert").getByRole("button", { name: "Try again" }).click();
    await expect(main.getByRole("alert").filter({ hasText: "Server is busy" })).toBeVisible();

    await restoreCall(page, call);
    await page.route(addressesOf(call), (route) => route.fulfill({ json: { code: 0, msg: "", result: none } }));
    await expect(async () => {
      // A change of the plant may have fetched the list already.
      const again = main.getByRole("alert").getByRole("button", { name: "Try again" });
      if (await again.isVisible()) await again.click({ timeout: 2_000 });
      await expect(main.getByRole("status").filter({ hasText: empty })).toBeVisible({ timeout: 5_000 });
    }).toPass();
    await expect(main.getByRole("alert")).toHaveCount(0);
  });
}

test("a failed next page can be retried, and the loaded rows stay", async ({ page, server }) => {
  await injectSessionAs(page, server, owner, secret);
  await page.route(addressesOf(alerts.log), async (route) => {
    const number = Number(new URL(route.request().url()).searchParams.get("page"));
    if (number > 1) return route.fulfill({ json: { code: 409, msg: "The next page is not ready", result: null } });
    return route.continue();
  });
  await page.goto("/alarms");
  const rows = page.getByRole("table", { name: "Alerts" }).getByRole("row");
  await expect(rows.nth(1)).toBeVisible();
  const failure = page.getByRole("main").getByRole("alert").filter({ hasText: "The next page is not ready" });
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await expect(failure).toBeVisible({ timeout: 1000 });
  }).toPass();
  await expect(page.getByRole("table", { name: "Alerts" })).toHaveAttribute("aria-rowcount", "21");
  await restoreCall(page, alerts.log);
  await failure.getByRole("button", { name: "Try again" }).click();
  await expect(failure).toBeHidden();
  await expect(page.getByRole("table", { name: "Alerts" })).not.toHaveAttribute("aria-rowcount", "21");
});

test("a list whose refetch fails stays, and a warning says why", async ({ page, server }) => {
  await injectSessionAs(page, server, owner, secret);
  await page.goto("/devices");
  const row = rowsOf(page, "Devices", unit.name);
  await expect(row).toBeVisible();
  await refuseCall(page, devices.list, 429, "Ask again in a minute");
  await page.getByRole("button", { name: "Refresh" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Ask again in a minute" })).toBeVisible();
  await expect(row).toBeVisible();
});

test("messages shown before the toaster is mounted are queued and shown then", async ({ page, server }) => {
  await injectSessionAs(page, server, owner, secret);
  let comes = () => {};
  const requests = new Promise<void>((resolve) => {
    comes = resolve;
  });
  await page.route(/\/assets\/toaster-[^/]+\.js$/, async (route) => {
    await requests;
    await route.continue();
  });
  await page.goto("/devices");
  const row = rowsOf(page, "Devices", unit.name);
  await expect(row).toBeVisible();
  await refuseCall(page, devices.list, 429, "Ask again in a minute");
  const answered = page.waitForResponse((response) => addressesOf(devices.list).test(response.url()));
  await page.getByRole("button", { name: "Refresh" }).click();
  await answered;
  comes();
  await expect(page.getByRole("alert").filter({ hasText: "Ask again in a minute" })).toBeVisible();
});
