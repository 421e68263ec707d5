import type { Page } from "@playwright/test";
import { alarms } from "@telltale/contract/domains/alarms";
import { AlertClass, AlertType } from "@telltale/contract/domains/alerts";
import { check, errorsOf } from "./accessibility.ts";
import { addRule, response, standing } from "./alert-rule.ts";
import { expect, test } from "./harness.ts";
import { injectSession, openSignedIn, openSupportView } from "./people.ts";
import { alertOf, dialogOf, filterTags, formOf, openFilter, rowsOf, windowOf } from "./screen.ts";
import { connectUnit, idsOf, publish, reportOnce, type Unit } from "./unit.ts";

// What was here at the last visit is counted for the account: no other file's tests may add to it.
test.use({ own: "entries" });
test.describe.configure({ timeout: 180_000 });

/** Opens the entry of the unit's rule from Standing. */
const openEntry = async (page: Page, unit: Unit): Promise<void> => {
  await page.goto("/alarms?view=standing");
  await standing(page, unit).getByRole("link", { name: "Well high" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("ALERT / Well high");
};

test("Standing lists what has not ended, by priority, and All stays the log", async ({ page, server }) => {
  const { unit } = await addRule(server);
  const device = await connectUnit(server, unit);
  await publish(device, { AI1: 75 });
  await openSignedIn(page, server);
  await page.getByRole("link", { name: /^\d+\s*unconfirmed$/ }).click();
  const views = page.getByRole("navigation", { name: "Alerts shown" });
  await expect(views.getByRole("link", { name: /^Unconfirmed \d+$/ }), "the bar's count opens these").toHaveAttribute(
    "aria-current",
    "page",
  );
  const counted = Number(
    await page
      .getByRole("link", { name: /^\d+\s*unconfirmed$/ })
      .locator("b")
      .textContent(),
  );
  await expect(page.getByRole("button", { name: "CLICK TO CONFRIM" })).toHaveCount(counted);
  await views.getByRole("link", { name: /^Standing \d+$/ }).click();
  await expect(views.getByRole("link", { name: /^Standing \d+$/ })).toHaveAttribute("aria-current", "page");
  const row = standing(page, unit);
  await expect(row).toContainText("Triggered");
  await expect(row.getByRole("img", { name: "Priority 1" })).toBeVisible();
  for (const text of ["Well high", "High, AI1", "75.00 bar", "70.00 bar", "Nobody yet"])
    await expect(row).toContainText(text);
  await publish(device, { AI1: 79 });
  await expect(row).toContainText("79.00 bar");
  await publish(device, { AI1: 77 });
  await device.endAsync();
  await expect(row, "value now, and its peak").toContainText(/77\.00 bar\s*79\.00 bar/);

  await row.hover();
  await row.getByRole("button", { name: "Assign to me: Well high" }).click();
  await expect(row).toContainText("Mara Okafor");
  await (await openFilter(page, "P")).getByRole("checkbox", { name: "P3" }).check();
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(filterTags(page)).toContainText("PP3");
  await expect(row).toHaveCount(0);
  await page.goto(`/alarms?view=standing&deviceName=${encodeURIComponent(unit.name)}&priority=1`);
  await expect(row).toHaveCount(1);

  await views.getByRole("link", { name: "All" }).click();
  await expect(page).toHaveURL("/alarms");
  await expect(rowsOf(page, "Alerts", unit.name).first()).toBeVisible();
  await reportOnce(server, unit, { AI1: 20 });
  await page.goto("/alarms?view=standing");
  await expect(row, "ended").toHaveCount(0);
});

test("the first of several alerts of a family is marked, and the others say what they followed", async ({
  page,
  server,
}) => {
  const complaints = errorsOf(page);
  const { owner, unit, alarmId } = await addRule(server);
  const { notifyUserIds, deviceId } = await owner(alarms.info, { alarmId });
  const { channels } = await idsOf(owner, unit.deviceSnId);
  const limit = { deviceChannelId: channels.AI2, type: AlertType.high, alarmValue: 70, alarmHysteresis: 1 };
  await owner(alarms.add, {
    alarmName: "Drive high",
    alarmClass: AlertClass.custom,
    deviceId,
    ...limit,
    notifyUserIds,
  });
  const device = await connectUnit(server, unit);
  const now = Date.now();
  await publish(device, { ts: now - 60_000, values: { AI1: 75 } });
  await publish(device, { ts: now - 32_000, values: { AI2: 75 } });
  await device.endAsync();
  await injectSession(page, server);
  await page.goto(`/alarms?deviceName=${encodeURIComponent(unit.name)}`);
  const mark = page.getByRole("img", { name: "First-out, first of 2" });
  await expect(rowsOf(page, "Alerts", "AI1").filter({ has: mark })).toHaveCount(1);
  await expect(mark).toHaveCount(1);
  await check(page, "the log with a first-out mark");
  await page.goto("/alarms?view=standing");
  const rows = standing(page, unit);
  await expect(rows.filter({ hasText: "First of 2" })).toContainText("Well high");
  await expect(rows.filter({ hasText: "28 s after Well high" })).toContainText("Drive high");
  await rows.getByRole("link", { name: "Drive high" }).click();
  await expect(page.getByLabel("State of Drive high")).toContainText("28 s after");
  await page.getByLabel("State of Drive high").getByRole("link", { name: "Well high" }).click();
  await expect(page.getByLabel("State of Well high")).toContainText("First of 2");
  expect(complaints).toEqual([]);
});

test("a contact's alert says ON, in every list", async ({ page, server }) => {
  await injectSession(page, server);
  await page.goto("/alarms?type=4");
  const first = rowsOf(page, "Alerts", "DI").first();
  await expect(first).toContainText(/ON\s*ON/);
  await expect(first).not.toContainText("1.00");
});

test("the entry's page says what to do and what happened, and takes notes, an assignment and the confirmation", async ({
  page,
  server,
}) => {
  const complaints = errorsOf(page);
  const { unit } = await addRule(server);
  await reportOnce(server, unit, { AI1: 75 });
  await injectSession(page, server);
  await openEntry(page, unit);
  const main = page.getByRole("main");
  await expect(main.getByRole("region", { name: "What to do" })).toContainText(response);
  await expect(main.getByRole("region", { name: "State of Well high" })).toContainText("75.00");
  await expect(main.getByRole("img", { name: /AI1/ }), "the trend").toBeVisible();
  const happened = page.getByRole("list", { name: "What happened" });
  await expect(happened).toContainText("Raised at 75.00 bar");
  await check(page, "an alert's page");

  await page.getByRole("textbox", { name: "Note" }).fill("Inlet screen 2 is blocked");
  await page.getByRole("button", { name: "Add note" }).click();
  await expect(happened).toContainText("Mara Okafor noted");
  await expect(happened).toContainText("Inlet screen 2 is blocked");
  await page.getByRole("combobox", { name: "Who has it" }).click();
  await page.getByRole("option", { name: "Tamas Varga" }).click();
  await expect(happened).toContainText("Assigned to Tamas Varga by Mara Okafor");

  await page.getByRole("button", { name: "Confirm", exact: true }).click();
  const dialog = dialogOf(page, "Confirm alert");
  await expect(dialog).toContainText("Are you sure you want to confirm this alert?");
  await expect(dialog).toContainText("High 75.00 bar, threshold 70.00 bar");
  await expect(dialog).toContainText("assigns it to you, until now Tamas Varga");
  await check(page, "the question before confirming", "[role=dialog]");
  await dialog.getByLabel("Note").fill("On my way");
  await dialog.getByRole("checkbox", { name: "I have it" }).check();
  await dialog.getByRole("button", { name: "Confirm", exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(happened).toContainText("Confirmed by Mara Okafor");
  await expect(happened).toContainText("On my way");
  await expect(happened).toContainText("Assigned to Mara Okafor");
  await reportOnce(server, unit, { AI1: 20 });
  await expect(happened).toContainText("Cleared");
  await expect(page.getByRole("button", { name: "Confirm", exact: true })).toHaveCount(0);
  await page.getByRole("link", { name: "Well high" }).click();
  await expect(formOf(page, "Edit alert").getByLabel("What to do"), "the rule").toHaveValue(response);
  expect(complaints).toEqual([]);
});

test("an alert is shelved with a reason: it leaves the banner, stands without red, and returns when the silence is ended", async ({
  page,
  server,
}) => {
  const complaints = errorsOf(page);
  const { unit } = await addRule(server);
  await reportOnce(server, unit, { AI1: 75 });
  await openSignedIn(page, server);
  await expect(windowOf(page, unit.name)).toHaveCount(1);
  await openEntry(page, unit);
  await page.getByRole("button", { name: "Shelve", exact: true }).click();
  const dialog = dialogOf(page, "Shelve alert");
  await expect(dialog).toContainText("P1 is shelved for 8 h at most");
  await expect(dialog.getByRole("radio", { name: "1 day" }), "too long for P1").toHaveCount(0);
  await dialog.getByText("15 min", { exact: true }).click();
  await check(page, "the dialog for shelving", "[role=dialog]");
  await dialog.getByRole("button", { name: "Shelve for 15 min" }).click();
  await expect(dialog).toContainText("Enter a reason");
  await dialog.getByLabel("Reason").fill("Raking the inlet screens");
  await dialog.getByRole("button", { name: "Shelve for 15 min" }).click();
  await expect(dialog).toBeHidden();
  const state = page.getByRole("region", { name: "State of Well high" });
  await expect(state).toContainText("Shelved until");
  await expect(state).toContainText("Raking the inlet screens");
  await expect(page.getByRole("list", { name: "What happened" })).toContainText("Raking the inlet screens");
  await page.goto("/alarms?view=standing");
  await expect(standing(page, unit)).toContainText(/Shelved until .*: Raking the inlet screens/);
  await page.goto("/");
  await expect(page.getByRole("button", { name: "CONFIRM ALL ALERTS" }).or(page.getByText("No alerts"))).toBeVisible();
  await expect(windowOf(page, unit.name)).toHaveCount(0);

  await openEntry(page, unit);
  await page.getByRole("button", { name: "End silence" }).click();
  await expect(page.getByRole("button", { name: "Shelve", exact: true })).toBeVisible();
  await expect(page.getByRole("list", { name: "What happened" })).toContainText("Silence ended by Mara Okafor");
  await page.goto("/");
  await expect(windowOf(page, unit.name)).toHaveCount(1);
  expect(complaints).toEqual([]);
});

test("an entry that does not exist says so, and a support view only reads", async ({ page, server }) => {
  const { unit } = await addRule(server);
  await reportOnce(server, unit, { AI1: 75 });
  await injectSession(page, server);
  await page.goto("/alarms/detail?alarmLogId=999999999");
  await expect(page.getByText("This alert is not yours to see, or it no longer exists")).toBeVisible();
  await openSupportView(page, server);
  await openEntry(page, unit);
  await expect(page.getByRole("list", { name: "What happened" })).toContainText("Raised");
  await expect(page.getByRole("button", { name: /^(Confirm|Assign to me|Add note|Shelve)$/ })).toHaveCount(0);
});

test("CONFIRM ALL ALERTS confirms what was shown, and not what has arrived since", async ({ page, server }) => {
  const [shown, late] = [await addRule(server), await addRule(server)];
  await reportOnce(server, shown.unit, { AI1: 75 });
  await openSignedIn(page, server);
  await expect(windowOf(page, shown.unit.name).first()).toBeVisible();
  await page.getByRole("button", { name: "CONFIRM ALL ALERTS" }).click();
  const dialog = dialogOf(page, "CONFIRM ALL ALERTS");
  await reportOnce(server, late.unit, { AI1: 75 });
  await expect(dialog).toContainText("1 that has arrived since is not covered");
  await check(page, "the question before confirming all", "[role=dialog]");
  await dialog.getByRole("button", { name: /^Confirm \d+ alerts?$/ }).click();
  await expect(windowOf(page, shown.unit.name)).toHaveCount(0);
  await expect(windowOf(page, late.unit.name)).toHaveCount(1);
});

test("what came and went since the last visit is a link beside the switch and the banner's count", async ({
  page,
  server,
}) => {
  const { unit } = await addRule(server);
  await openSignedIn(page, server);
  await reportOnce(server, unit, { AI1: 75 });
  await reportOnce(server, unit, { AI1: 20 });
  const passed = page.getByRole("link", { name: /^\d+ passed$/ });
  // It is asked for once a minute at most: the first time may have been before.
  await expect(passed).toBeVisible({ timeout: 90_000 });
  await page.goto("/alarms");
  await expect(page.getByText(/passed since your visit at/)).toBeVisible();
  await passed.click();
  await expect(filterTags(page)).toContainText("PASSED SINCE");
  await expect(rowsOf(page, "Alerts", unit.name)).toContainText("Cleared");
  await check(page, "what passed");
  await filterTags(page)
    .getByRole("button", { name: /^Remove filter PASSED SINCE/ })
    .click();
  await expect(page).toHaveURL("/alarms");
});

test("a rule's priority follows from two questions, and its switch keeps it from raising", async ({ page, server }) => {
  const { owner, unit, alarmId } = await addRule(server);
  await injectSession(page, server);
  await page.goto(`/configureAlarm?tab=custom&deviceSnId=${unit.deviceSnId}`);
  const row = rowsOf(page, "Custom alerts", unit.name);
  await expect(row.getByRole("img", { name: "Priority 1" })).toBeVisible();
  await row.getByRole("button", { name: "Edit Well high" }).click();
  const edit = formOf(page, "Edit alert");
  await expect(edit).toContainText(`${response.length} of 500`);
  await edit.getByRole("radio", { name: "Nuisance" }).check();
  await edit.getByRole("radio", { name: "Longer" }).check();
  await expect(edit.getByRole("region", { name: "Priority" }).getByRole("status")).toContainText("P3");
  await edit.getByLabel("What to do").fill("Call Lucas");
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(edit).toHaveCount(0);
  expect(await owner(alarms.info, { alarmId })).toMatchObject({ priority: 3, response: "Call Lucas", enabled: 1 });

  await expect(row.getByRole("img", { name: "Priority 3" })).toBeVisible();
  const enabled = row.getByRole("switch", { name: "Enabled: Well high" });
  await enabled.press("Space");
  await expect(enabled).not.toBeChecked();
  await expect.poll(async () => (await owner(alarms.info, { alarmId })).enabled).toBe(0);
  await check(page, "a rule that is switched off");
  await reportOnce(server, unit, { AI1: 75 });
  await page.goto("/alarms");
  await expect(alertOf(page, unit.name)).toHaveCount(0);
  await expect(rowsOf(page, "Alerts", unit.name).filter({ hasText: "Custom" })).toHaveCount(0);
  await page.goto(`/configureAlarm?tab=custom&deviceSnId=${unit.deviceSnId}`);
  await enabled.press("Space");
  await expect.poll(async () => (await owner(alarms.info, { alarmId })).enabled).toBe(1);
});

test("Standing is accessible and fits a phone @phone", async ({ page, server }) => {
  const { unit } = await addRule(server);
  await reportOnce(server, unit, { AI1: 75 });
  await injectSession(page, server);
  await page.goto(`/alarms?view=standing&deviceName=${encodeURIComponent(unit.name)}`);
  await expect(standing(page, unit)).toContainText("75.00 bar");
  await check(page, "what stands");
  await standing(page, unit).getByRole("button", { name: "CLICK TO CONFRIM" }).click();
  await dialogOf(page, "Confirm alert").getByRole("button", { name: "Confirm", exact: true }).click();
  await expect(standing(page, unit)).toContainText("Confirmed");
});
