import type { Locator, Page } from "@playwright/test";
import { alerts } from "@telltale/contract/domains/alerts";
import { keyboard } from "@telltale/contract/domains/people/personal";
import { addRule } from "./alert-rule.ts";
import { refuseCall, restoreCall, warning } from "./answers.ts";
import { expect, test } from "./harness.ts";
import { clientOf, injectSession } from "./people.ts";
import { dialogOf, visit } from "./screen.ts";
import type { RunningServer } from "./server-process.ts";
import { typed } from "./setup-form.ts";
import { addUnit, idsOf, type Unit } from "./unit.ts";

test.describe.configure({ timeout: 300_000 });

const long = "Something of a certain length is the matter here, so that it takes more than one line on a phone";
const short = "Shortcuts are away";

const messages = (page: Page): Locator => page.getByRole("region", { name: "Messages (F8)" });

/** Makes any screen show two messages: both calls are made by the frame of all screens. */
const provoke = async (page: Page): Promise<void> => {
  await refuseCall(page, alerts.unconfirmed, 422, long);
  await refuseCall(page, keyboard.list, 422, short);
};

/** Waits for the messages and keeps them on screen by hovering. */
const hold = async (page: Page, timeout?: number): Promise<void> => {
  await expect(warning(page, long)).toBeVisible({ timeout });
  await warning(page, long).hover({ timeout });
  await expect(warning(page, short)).toBeVisible({ timeout });
};

/** Opens something by `steps` and holds the messages; again from the start where a slow machine took longer than the messages stay. */
const openAndHold = (page: Page, steps: () => Promise<void>): Promise<void> =>
  expect(async () => {
    await steps();
    await hold(page, 5_000);
  }).toPass();

interface Found {
  /** Boxes of the messages, as top and bottom. */
  messages: [top: number, bottom: number][];
  /** Controls that are covered by a message, as texts. */
  covered: string[];
}

/**
 * Looks at the messages and at each control within. Scrollable ones are scrolled into view first, as a user or the focus does; fixed ones stay where
 * they are. In one go, because each call to the page has its price.
 */
const lookAt = (page: Page, within: string): Promise<Found> =>
  page.evaluate((root) => {
    const place = document.querySelector('section[aria-label^="Messages"]') as HTMLElement;
    const messages = [...place.querySelectorAll('[role="alert"]')].map((row) => row.getBoundingClientRect());
    const boxes = [place.getBoundingClientRect(), ...messages];
    const band = {
      top: Math.min(...boxes.map(({ top }) => top)),
      bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
      left: Math.min(...boxes.map(({ left }) => left)),
      right: Math.max(...boxes.map(({ right }) => right)),
    };
    const pressable =
      'a[href], button, input:not([type="hidden"]), select, textarea, summary, [role="button"], [role="tab"], [role="switch"], [role="menuitem"], [tabindex="0"]';
    const covered = [...document.querySelectorAll<HTMLElement>(pressable)].flatMap((element) => {
      if (place.contains(element) || !element.closest(root)) return [];
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return [];
      element.scrollIntoView({ block: "nearest", behavior: "instant" });
      const box = element.getBoundingClientRect();
      if (box.width === 0 || box.height === 0) return [];
      const isOver =
        box.bottom > band.top + 1 && box.top < band.bottom - 1 && box.right > band.left && box.left < band.right;
      if (!isOver) return [];
      const words = element.getAttribute("aria-label") ?? element.textContent ?? "";
      return [`${element.tagName} "${words.trim().slice(0, 40)}" at ${Math.round(box.top)}..${Math.round(box.bottom)}`];
    });
    return { messages: messages.map(({ top, bottom }) => [top, bottom] as [number, number]), covered };
  }, within);

const expectNothingCovered = async (page: Page, within = "body"): Promise<void> => {
  await hold(page);
  const { messages: rows, covered } = await lookAt(page, within);
  expect(rows.length, "both of them").toBeGreaterThanOrEqual(2);
  for (const [index, [top]] of rows.slice(1).entries())
    expect(top, "one below the other").toBeGreaterThanOrEqual((rows[index]?.[1] ?? 0) - 1);
  expect((rows.at(-1)?.[1] ?? 0) - (rows[0]?.[0] ?? 0), "there are messages").toBeGreaterThan(40);
  expect(covered).toEqual([]);
};

const screens = (deviceId: number, alarmId: number): string[] => [
  ...["/", "/alarms", "/alarms/notifications", "/devices", "/devicesHistory", `/devicesDetail?deviceId=${deviceId}`],
  ...["/users", "/configureDashboard", "/configureAlarm", "/configureAlarm?tab=custom", "/configureAlarmNotifyUser"],
  // An alert's form, empty and with what it would have raised: its buttons are in a footer that stays in view.
  ...["/configureAlarm?tab=custom&add=1", `/configureAlarm?tab=custom&alarmId=${alarmId}`],
  ...["/configureDevices", `/configureDevicesAdd?deviceId=${deviceId}`, "/configureUsers", "/sms", "/support"],
  ...["/joint", "/jointAdd", "/personal", "/personalAdd", "/keyboard", "/keyboardAdd", "/dragging", "/audit"],
  ...["/profilePhoto", "/company", "/name", "/cellNumber", "/changePassword", "/associatedAccount"],
];

const widths: [width: number, height: number][] = [
  [1440, 900],
  [1024, 768],
  [390, 844],
];

const aDevice = async (server: RunningServer): Promise<{ unit: Unit; deviceId: number }> => {
  const unit = await addUnit(server);
  return { unit, deviceId: (await idsOf(await clientOf(server), unit.deviceSnId)).deviceId };
};

/** Checks the screen at each width. */
const expectNothingCoveredAnywhere = async (page: Page, within = "body"): Promise<void> => {
  for (const [width, height] of widths) {
    await page.setViewportSize({ width, height });
    await test.step(`${width} px`, () => expectNothingCovered(page, within));
  }
};

test("no message covers a control on any screen", async ({ page, server }) => {
  const { deviceId } = await aDevice(server);
  const { alarmId } = await addRule(server);
  await injectSession(page, server);
  await provoke(page);
  const [first = "", ...others] = screens(deviceId, alarmId);
  await test.step(first, async () => {
    await page.goto(first);
    await expectNothingCoveredAnywhere(page);
  });
  for (const path of others)
    await test.step(path, async () => {
      await visit(page, path);
      // They stay while the pointer is on them; on a slow machine it may have been elsewhere for too long.
      if ((await messages(page).getByRole("alert").count()) < 2) await page.reload();
      await expectNothingCoveredAnywhere(page);
    });
});

test("no message covers dialogs, drawers, the phone's menu and the bar with unsaved changes", async ({
  page,
  server,
}) => {
  const { unit, deviceId } = await aDevice(server);
  await injectSession(page, server);
  await provoke(page);
  const open = async (path: string, button: string | RegExp): Promise<void> => {
    await openAndHold(page, async () => {
      await page.goto(path);
      await page.getByRole("button", { name: button, exact: true }).first().click();
      await expect(page.getByRole("dialog").first()).toBeVisible();
    });
    await expectNothingCoveredAnywhere(page, '[role="dialog"]');
  };
  await open("/configureAlarmNotifyUser", "Add contact");
  await open("/configureDashboard", "Add dashboard");
  await open("/configureDashboard", "Channel groups");
  await open("/configureUsers", "Add user");
  await open("/devices", "Download data");
  await openAndHold(page, async () => {
    await page.goto(`/configureDevicesAdd?deviceId=${deviceId}`);
    await typed(page, "AI1", "SPAN").fill("120");
  });
  await expectNothingCoveredAnywhere(page);
  await openAndHold(page, async () => {
    await page.goto(`/configureDevices?deviceSnId=${unit.deviceSnId}`);
    await page.getByRole("button", { name: `Edit ${unit.name}` }).click();
    await page.getByRole("button", { name: "Restart" }).click();
    await expect(dialogOf(page, "Restart device")).toBeVisible();
  });
  await expectNothingCoveredAnywhere(page, '[role="dialog"]');

  await openAndHold(page, async () => {
    await page.goto("/");
    await page.getByRole("button", { name: "MENU", exact: true }).click();
    await expect(page.getByRole("dialog").first()).toBeVisible();
  });
  await expectNothingCovered(page, '[role="dialog"]');
});

test("F8 focuses the messages even from a dialog; they stay while focused, and Escape closes them", async ({
  page,
  server,
}) => {
  await injectSession(page, server);
  await provoke(page);
  await page.goto("/configureDashboard");
  await page.getByRole("button", { name: "Add dashboard" }).click();
  const dialog = dialogOf(page, "Add dashboard");
  const name = dialog.getByLabel("Name", { exact: true });
  await name.fill("Night shift");
  await expect(messages(page).getByRole("alert")).toHaveCount(2);
  // The frame repeats the call whenever an alert changes: if that failed again, the message would come back after Escape.
  await restoreCall(page, alerts.unconfirmed);
  await restoreCall(page, keyboard.list);
  await page.keyboard.press("F8");
  await expect(messages(page).getByRole("button", { name: "Close" }).first()).toBeFocused();
  await page.keyboard.press("F8");
  await expect(name, "back").toBeFocused();
  await page.keyboard.press("F8");
  // Longer than a message stays when it is not hovered or focused.
  await page.waitForTimeout(7_000);
  await expect(messages(page).getByRole("alert")).toHaveCount(2);
  await page.keyboard.press("Escape");
  await expect(messages(page).getByRole("alert")).toHaveCount(1);
  await expect(dialog, "the dialog stays").toBeVisible();
  await page.keyboard.press("Escape");
  await expect(messages(page).getByRole("alert")).toHaveCount(0);
  await expect(name).toBeFocused();
  await expect(name).toHaveValue("Night shift");
});

test("messages about the connection disappear when it is back", async ({ page, server }) => {
  await injectSession(page, server);
  await page.goto("/configureUsers");
  await expect(page.getByRole("table", { name: "Users" }).getByRole("row").nth(1)).toBeVisible();
  await page.route("**/api/**", (route) => route.abort("connectionrefused"));
  await page.getByRole("button", { name: "Refresh" }).click();
  await expect(warning(page, "Network is busy")).toBeVisible();
  await warning(page, "Network is busy").hover();
  await page.unroute("**/api/**");
  // By keyboard, because hovering would keep the message on screen.
  await page.getByRole("button", { name: "Refresh" }).focus();
  await page.keyboard.press("Enter");
  await expect(warning(page, "Network is busy")).toHaveCount(0);
});
