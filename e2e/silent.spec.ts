import type { Page } from "@playwright/test";
import { alertEntries } from "@telltale/contract/domains/alerting/entries";
import { WindowRepeat } from "@telltale/contract/domains/alerting/maintenance";
import { SilenceKind, silences } from "@telltale/contract/domains/alerting/silences";
import { check, errorsOf } from "./accessibility.ts";
import { addRule, standing } from "./alert-rule.ts";
import { expect, test } from "./harness.ts";
import { injectSession, openSignedIn, openSupportView } from "./people.ts";
import { dialogOf, whenQuiet, windowOf } from "./screen.ts";
import { idsOf, reportOnce } from "./unit.ts";

// Everything that is silent is counted for the account: no other file's tests may add to it.
test.use({ own: "silent" });
test.describe.configure({ timeout: 180_000 });

const rowOf = (page: Page, name: string) =>
  page.getByRole("table", { name: "What is silent now" }).getByRole("row", { name });

test("what is shelved is listed with its end, can be moved and ended there, and is counted in the bar", async ({
  page,
  server,
}) => {
  const complaints = errorsOf(page);
  const { unit, owner } = await addRule(server);
  await reportOnce(server, unit, { AI1: 75 });
  await openSignedIn(page, server);
  await page.goto("/alarms?view=standing");
  await standing(page, unit).getByRole("button", { name: "Shelve: Well high" }).click();
  const shelving = dialogOf(page, "Shelve alert");
  await shelving.getByLabel("Reason").fill("Raking the inlet screens");
  await shelving.getByRole("button", { name: "Shelve for 30 min" }).click();
  await expect(shelving).toBeHidden();

  await page.getByRole("link", { name: /^\d+\s*silent$/ }).click();
  await expect(page).toHaveURL("/alarms/silent");
  await expect(
    page.getByRole("navigation", { name: "ALERT" }).getByRole("link", { name: /^SUPPRESSED/ }),
  ).toHaveAttribute("aria-current", "page");
  const row = rowOf(page, "Shelf").filter({ hasText: unit.name });
  for (const text of ["Shelf", "Well high", "Raking the inlet screens", "Mara Okafor", /in (29|30) min/])
    await expect(row).toContainText(text);
  await check(page, "what is silent now");

  await row.getByRole("button", { name: "Edit: Well high" }).click();
  const editing = dialogOf(page, "Change shelf");
  await expect(editing).toBeVisible();
  await editing.getByText("2 h", { exact: true }).click();
  await check(page, "the dialog for a shelf's end", "[role=dialog]");
  await editing.getByRole("button", { name: "Shelve for 2 h from now" }).click();
  await expect(row).toContainText(/in (1 h 59 min|2 h)/);

  // Another user's change shows up.
  const [silence] = await owner(silences.list);
  const change = { silenceId: Number(silence?.silenceId), minutes: 15, reason: "Done soon" };
  await owner(silences.update, change);
  await expect(row).toContainText("Done soon");

  await row.getByRole("button", { name: "End: Well high" }).click();
  await dialogOf(page, "End silence").getByRole("button", { name: "End", exact: true }).click();
  await expect(row).toHaveCount(0);
  await page.goto("/");
  await expect(windowOf(page, unit.name)).toHaveCount(1);
  expect(complaints).toEqual([]);
});

test("a maintenance window made there suppresses a device, and ends for this time only", async ({ page, server }) => {
  const complaints = errorsOf(page);
  const { unit } = await addRule(server);
  await openSignedIn(page, server);
  await page.goto("/alarms/silent");
  await page.getByRole("button", { name: "Plan maintenance" }).click();
  const dialog = dialogOf(page, "Plan maintenance");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toContainText("Enter a name");
  await expect(dialog).toContainText("Choose at least one device");
  await check(page, "the dialog for maintenance with complaints", "[role=dialog]");
  await dialog.getByLabel("Name", { exact: true }).fill("Quarterly drive service");
  await dialog.getByPlaceholder("Search by name or device ID").fill(unit.name);
  await dialog.getByRole("checkbox", { name: unit.name }).check();
  await dialog.getByText("Daily", { exact: true }).click();
  await dialog.getByLabel("From").fill("00:00");
  await dialog.getByLabel("To", { exact: true }).fill("00:00");
  await dialog.getByRole("combobox", { name: "Ends" }).click();
  await page.getByRole("option", { name: "Next day" }).click();
  await dialog.getByLabel("Reason").fill("Belts, bearings, thermography");
  await expect(dialog).toContainText("00:00 to");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
  const row = rowOf(page, "Quarterly drive service");
  for (const text of ["Maintenance", unit.name, "Every day, 00:00 to 00:00, 1 day later", "Belts, bearings"])
    await expect(row).toContainText(text);

  await reportOnce(server, unit, { AI1: 75 });
  await page.goto("/alarms?view=standing");
  await expect(standing(page, unit)).toContainText(/Maintenance until \d\d.*: Belts, bearings/);
  await page.goto("/");
  await expect(page.getByRole("button", { name: "CONFIRM ALL ALERTS" }).or(page.getByText("No alerts"))).toBeVisible();
  await expect(windowOf(page, unit.name)).toHaveCount(0);

  await page.goto("/alarms/silent");
  await row.getByRole("button", { name: "End: Quarterly drive service" }).click();
  const ending = dialogOf(page, "End silence");
  await expect(ending).toBeVisible();
  await check(page, "the question before a window ends", "[role=dialog]");
  await ending.getByRole("button", { name: "End this time" }).click();
  await expect(row).toContainText("From");
  await page.goto("/");
  await expect(windowOf(page, unit.name)).toHaveCount(1);
  expect(complaints).toEqual([]);
});

test("a device's page plans its maintenance; a support view only reads", async ({ page, server }) => {
  const { unit, owner } = await addRule(server);
  const { deviceId } = await idsOf(owner, unit.deviceSnId);
  await injectSession(page, server);
  await page.goto(`/devicesDetail?deviceId=${deviceId}`);
  await page.getByRole("button", { name: "Plan maintenance" }).click();
  const dialog = dialogOf(page, "Plan maintenance");
  await expect(dialog).toContainText("1 chosen");
  await dialog.getByLabel("Name", { exact: true }).fill("Pump service");
  await dialog.getByText("nth weekday", { exact: true }).click();
  await dialog.getByLabel("From").fill("12:00");
  await dialog.getByLabel("To", { exact: true }).fill("18:00");
  await dialog.getByLabel("Reason").fill("Seals");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByRole("link", { name: /^Maintenance / }).click();
  const row = rowOf(page, "Pump service");
  await expect(row).toContainText("Every 1st Monday, 12:00 to 18:00");
  await row.getByRole("button", { name: "Edit: Pump service" }).click();
  const editing = dialogOf(page, "Edit maintenance");
  await editing.getByText("Weekly", { exact: true }).click();
  await editing.getByRole("button", { name: "Save" }).click();
  await expect(row).toContainText("Every Monday, 12:00 to 18:00");
  await openSupportView(page, server);
  await page.goto("/alarms/silent");
  await expect(rowOf(page, "Pump service")).toBeVisible();
  await expect(page.getByRole("button", { name: /^(End|Edit|Plan)/ })).toHaveCount(0);
});

test("a device's page asks for maintenance again when some is planned, and not for the alerts of other devices", async ({
  page,
  server,
}) => {
  const [{ unit, owner }, other] = [await addRule(server), await addRule(server)];
  const { deviceId } = await idsOf(owner, unit.deviceSnId);
  const asked: string[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).pathname === silences.list.path) asked.push(request.url());
  });
  await injectSession(page, server);
  await page.goto(`/devicesDetail?deviceId=${deviceId}`);
  await expect(page.getByRole("button", { name: "Plan maintenance" })).toBeVisible();
  await expect.poll(() => asked.length).toBeGreaterThan(0);
  await expect(page.getByRole("banner")).toContainText("Live");
  // What was announced while the page was opened is fetched again meanwhile.
  await whenQuiet(page, asked);
  asked.length = 0;
  await reportOnce(server, other.unit, { AI1: 75 });
  const isRaised = async () => (await owner(alertEntries.standing, { deviceName: other.unit.name })).total;
  await expect.poll(isRaised).toBe(1);
  const window = { kind: SilenceKind.maintenance, name: "Pump service", reason: "Seals", deviceIds: [deviceId] };
  const inSomeDays = ((new Date().getUTCDay() + 3) % 7) + 1;
  const weekly = { repeat: WindowRepeat.weekly, weekday: inSomeDays, from: "12:00", to: "18:00", timeZoneId: "UTC" };
  await owner(silences.add, { ...window, ...weekly });
  await expect(page.getByRole("link", { name: /^Maintenance / })).toBeVisible();
  expect(asked).toHaveLength(1);
});
