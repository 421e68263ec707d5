import { expect, type Locator, type Page } from "@playwright/test";
import { AlertType, alerts } from "@telltale/contract/domains/alerts";
import { JointEnding, joint } from "@telltale/contract/domains/joint";
import { personal } from "@telltale/contract/domains/people/personal";
import { clientOf, injectSession, type Person } from "./people.ts";
import { dialogOf, formOf, rowsOf } from "./screen.ts";
import type { RunningServer } from "./server-process.ts";
import { idsOf } from "./unit.ts";

/** Devices of the demonstration by device ID. */
const pumpHouse = "7C9EBD4A3F12";
const yardLighting = "7C9EBD4A8E31";

/** A picture of the guide: user and screen. */
export interface Shot {
  /** The picture's file in docs/guide/images. */
  name: string;
  /** Absent for a page without sign-in. */
  person?: Person;
  isPhone?: boolean;
  /** Navigates to the screen and waits until it is loaded; returns the part to show, if not all of it. */
  open(page: Page, server: RunningServer): Promise<Locator | undefined>;
}

/** A page by its address, loaded when this element is visible. */
const pageShot = (name: string, path: string, isThere: (page: Page) => Locator, more: Partial<Shot> = {}): Shot => ({
  name,
  person: "owner",
  open: async (page) => {
    await page.goto(path);
    await expect(isThere(page).first()).toBeVisible();
    return undefined;
  },
  ...more,
});

/** A dialog opened by a button of a page. */
const dialogShot = (name: string, path: string, button: (page: Page) => Locator, title: string | RegExp): Shot => ({
  name,
  person: "owner",
  open: async (page) => {
    await page.goto(path);
    await button(page).first().click();
    const dialog = page.getByRole("dialog", { name: title });
    await expect(dialog).toBeVisible();
    return dialog;
  },
});

const table = (label: string) => (page: Page) => page.getByRole("table", { name: label }).getByRole("row").nth(1);
const buttonNamed = (name: string | RegExp) => (page: Page) => page.getByRole("button", { name });

const alertForm: Shot = {
  name: "custom-alert",
  person: "owner",
  open: async (page) => {
    await page.goto("/configureAlarm?tab=custom");
    await page.getByRole("button", { name: "Edit Wet well high" }).click();
    await expect(formOf(page, "Edit alert")).toBeVisible();
    return undefined;
  },
};

const detailOf = async (server: RunningServer, deviceSnId: string, path: string): Promise<string> => {
  const { deviceId } = await idsOf(await clientOf(server), deviceSnId);
  return `${path}?deviceId=${deviceId}`;
};

/** Creates a joint control in the demonstration plant, for its list. */
const makeJointControl = async (server: RunningServer): Promise<void> => {
  const owner = await clientOf(server);
  const [from, to] = [await idsOf(owner, pumpHouse), await idsOf(owner, yardLighting)];
  await owner(joint.edit, {
    name: "Gate lamps on high pressure",
    sourceChannelId: Number(from.channels.AI1),
    alarmType: AlertType.high,
    outputChannelId: Number(to.channels.DO1),
    level: 1,
    ending: JointEnding.back,
  });
};

const watch = async (server: RunningServer): Promise<void> => {
  const owner = await clientOf(server);
  const { channels } = await idsOf(owner, pumpHouse);
  const wanted = ["AI1", "AI2", "DI1"].map((code) => Number(channels[code]));
  await owner(personal.add, { deviceChannelIds: wanted });
};

const deviceShots: Shot[] = [
  pageShot("devices", "/devices", table("Devices")),
  {
    name: "sub-devices",
    person: "owner",
    open: async (page) => {
      await page.goto("/devices");
      const row = rowsOf(page, "Devices", "Pump house 2").first();
      await row.getByRole("button", { expanded: false }).first().click();
      await expect(rowsOf(page, "Devices", "Booster pump skid").first()).toBeVisible();
      return page.getByRole("table", { name: "Devices" });
    },
  },
  {
    name: "device-detail",
    person: "owner",
    open: async (page, server) => {
      await page.goto(await detailOf(server, pumpHouse, "/devicesDetail"));
      await expect(page.locator("canvas").first()).toBeVisible();
      return undefined;
    },
  },
  {
    name: "readings",
    person: "owner",
    open: async (page, server) => {
      const list = page.getByRole("tab", { name: "LIST" });
      // A list shows the state when it was opened: in a demonstration that has just started it is empty.
      await expect(async () => {
        await page.goto(await detailOf(server, pumpHouse, "/devicesDetail"));
        await list.click();
        await expect(page.getByRole("tabpanel").getByRole("row").nth(3)).toBeVisible({ timeout: 5_000 });
      }).toPass();
      await expect(page.getByRole("table", { name: "Alert history" })).toHaveAttribute("aria-busy", "false");
      await list.evaluate((tab) => tab.scrollIntoView({ block: "center" }));
      return undefined;
    },
  },
  {
    name: "set-up-channels",
    person: "owner",
    open: async (page, server) => {
      await page.goto(await detailOf(server, pumpHouse, "/configureDevicesAdd"));
      await expect(page.getByRole("button", { name: "Save all" })).toBeVisible();
      return undefined;
    },
  },
  dialogShot("device-settings", "/configureDevices", buttonNamed("Edit Pump house 2"), "Device settings"),
  dialogShot("download", "/devices", buttonNamed("Download data"), "DOWNLOAD TELLTALE DATA"),
  dialogShot("add-device", "/configureDevices", buttonNamed("Add device"), "Add device"),
  {
    name: "third-party",
    person: "owner",
    open: async (page) => {
      await page.goto("/configureDevices");
      await page.getByRole("button", { name: "Add device" }).click();
      await page.getByRole("button", { name: "Add a third-party device instead" }).click();
      const dialog = dialogOf(page, "Add third-party device");
      await expect(dialog).toBeVisible();
      return dialog;
    },
  },
];

const alertShots: Shot[] = [
  pageShot("alert-log", "/alarms", table("Alerts")),
  {
    ...alertForm,
    open: async (page, server) => {
      const dialog = await alertForm.open(page, server);
      await expect(page.getByRole("region", { name: "Try it" }).getByRole("img")).toBeVisible({ timeout: 30_000 });
      return dialog;
    },
  },
  {
    name: "alert-entry",
    person: "owner",
    open: async (page, server) => {
      // The oldest of a channel that raises few: the same at each visit.
      const { data } = await (await clientOf(server))(alerts.log, {
        channelName: "Bearing temperature, pump 1",
        size: 200,
      });
      await page.goto(`/alarms/detail?alarmLogId=${data.at(-1)?.alarmLogId}`);
      await expect(page.getByRole("list", { name: "What happened" })).toBeVisible();
      return undefined;
    },
  },
  pageShot("suppressed", "/alarms/silent", (page) => page.getByText("Silent by itself")),
  {
    name: "alert-report",
    person: "owner",
    open: async (page) => {
      await page.goto("/alarms/report");
      const figures = page.getByLabel("Figures of the month");
      await expect(figures).toBeVisible();
      // Without the month and the rules, which are others from day to day.
      return figures;
    },
  },
  pageShot("escalation", "/configureEscalation", (page) => page.getByRole("heading", { name: "Raised now" })),
  pageShot("contacts", "/configureAlarmNotifyUser", table("Contacts")),
  dialogShot("bridge", "/configureBridges", buttonNamed("Add bridge"), "Add bridge"),
  {
    ...pageShot("joint", "/joint", table("Joint controls")),
    open: async (page, server) => {
      await makeJointControl(server);
      await page.goto("/joint");
      await expect(table("Joint controls")(page)).toBeVisible();
      return undefined;
    },
  },
];

const ownShots: Shot[] = [
  {
    name: "watchlist",
    person: "owner",
    open: async (page, server) => {
      await watch(server);
      await page.goto("/personal");
      await expect(page.getByRole("list", { name: "Watchlist" }).getByRole("listitem").first()).toBeVisible();
      return undefined;
    },
  },
  pageShot("shortcuts", "/keyboard", (page) => page.getByRole("list", { name: "The console's" }).getByRole("listitem")),
];

const moneyShots: Shot[] = [
  dialogShot("purchase", "/devices", buttonNamed("Pay for Compressor A"), "Purchase network services"),
  pageShot("sms", "/sms", buttonNamed(/^Pay \$/)),
];

const dashboardShots: Shot[] = [
  pageShot("dashboard", "/", table("Devices")),
  pageShot("phone", "/", (page) => page.getByRole("region", { name: "Channels" }).getByRole("link"), { isPhone: true }),
  {
    name: "rewind",
    person: "owner",
    open: async (page) => {
      // Two hours ago, to the minute.
      await page.goto(`/?at=${new Date(Date.now() - 7_200_000).toISOString().slice(0, 16)}Z`);
      await expect(page.getByRole("slider", { name: "Time" })).toBeVisible();
      await expect(page.getByRole("region", { name: "Channels" }).getByRole("link").first()).toBeVisible();
      return undefined;
    },
  },
  pageShot("wall", "/?wall", (page) => page.getByRole("region", { name: "Channels" }).getByRole("link")),
  {
    name: "find",
    person: "owner",
    open: async (page) => {
      await page.goto("/");
      await page.getByRole("banner").getByRole("button", { name: "Find" }).click();
      await page.getByRole("combobox", { name: "Find" }).fill("pump pressure");
      await expect(page.getByRole("option").first()).toBeVisible();
      return page.getByRole("dialog", { name: "Find" });
    },
  },
];

/** All pictures of the guide. A new one also needs a line in a page of the guide. */
export const shots: readonly Shot[] = [
  {
    name: "login",
    open: async (page) => {
      await page.goto("/login");
      await expect(page.getByRole("button", { name: "Log IN" })).toBeVisible();
      return undefined;
    },
  },
  ...dashboardShots,
  pageShot("configure-dashboard", "/configureDashboard", table("Dashboards")),
  ...alertShots,
  ...deviceShots,
  ...ownShots,
  pageShot("users", "/users", table("Users")),
  {
    name: "audit",
    person: "owner",
    open: async (page, server) => {
      await makeJointControl(server);
      await page.goto("/audit");
      await expect(table("Audit log")(page)).toBeVisible();
      return undefined;
    },
  },
  ...moneyShots,
  pageShot("firmware", "/support?tab=downloads", table("Firmware")),
  pageShot("support", "/support", buttonNamed(/How do I connect a device/)),
];

/** Opens the screen of the shot as its user. */
export const openShot = async (page: Page, server: RunningServer, { person, open }: Shot) => {
  if (person) await injectSession(page, server, person);
  return open(page, server);
};
