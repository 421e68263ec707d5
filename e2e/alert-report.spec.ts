import { readFile } from "node:fs/promises";
import { alarms } from "@telltale/contract/domains/alarms";
import { alertReports } from "@telltale/contract/domains/alerting/report";
import { monthOn, monthStretch, monthText, monthTitle } from "@telltale/contract/text/months";
import { zoneOf } from "@telltale/contract/text/wall-clock";
import { check, errorsOf } from "./accessibility.ts";
import { addRule } from "./alert-rule.ts";
import { expect, test } from "./harness.ts";
import { textOfPdf } from "./pdf-text.ts";
import { injectSession } from "./people.ts";
import { formOf } from "./screen.ts";
import { connectUnit, publish } from "./unit.ts";

// The months of the plant's report are those since its first alert, which these tests raise.
test.use({ own: "report" });
test.describe.configure({ timeout: 180_000 });

/** A month in which the demonstration has no alerts yet. */
const knownMonth = (timeZone: string) => {
  const zone = zoneOf(timeZone);
  const month = monthOn(zone, Date.now()) - 7;
  return { month, from: monthStretch(zone, month).from };
};

test("the report shows a month's figures, leads from a frequent alert to Try it, and is saved as PDF", async ({
  page,
  server,
}) => {
  const complaints = errorsOf(page);
  const { owner, unit, alarmId } = await addRule(server);
  const { timeZone } = await owner(alertReports.read, {});
  const { month, from } = knownMonth(timeZone);
  const device = await connectUnit(server, unit);
  // From noon of the second day: twelve alerts in six minutes, each over after ten seconds.
  const noon = from + 36 * 3_600_000;
  for (let each = 0; each < 12; each++)
    for (const [after, AI1] of [
      [0, 75],
      [10, 40],
    ] as const)
      await publish(device, { ts: noon + (each * 30 + after) * 1000, values: { AI1 } });
  await device.endAsync();

  await injectSession(page, server);
  await page.goto("/alarms");
  await page.getByRole("navigation", { name: "ALERT" }).getByRole("link", { name: "REPORT" }).click();
  await expect(page).toHaveURL("/alarms/report");
  await page.getByRole("combobox", { name: "Month" }).selectOption(monthTitle(month));
  await expect(page).toHaveURL(`/alarms/report?month=${monthText(month)}`);
  const figure = (name: string) =>
    page.getByLabel("Figures of the month").locator("div").filter({ hasText: name }).first();
  await expect(figure("Alerts, all")).toContainText("12");
  await expect(figure("Ten most frequent")).toContainText("over 5 %");
  await expect(figure("Chattering")).toContainText("over 0");
  await expect(figure("Fleeting")).toContainText("100 % of all");
  await expect(figure("Stale")).toContainText("met: < 5");
  await expect(figure("P1 / P2 / P3")).toContainText("100 / 0 / 0");
  await expect(page.getByRole("row", { name: /Well high/ })).toContainText("13 min");
  await expect(page.getByRole("img", { name: /^Alerts an hour in/ })).toHaveAccessibleName(/12 in all, at most 12/);
  await check(page, "the report of a month");

  await page.getByRole("link", { name: "Next month" }).click();
  await expect(page.getByText(`There were no alerts in ${monthTitle(month + 1)}`)).toBeVisible();
  await check(page, "the report of an empty month");
  await page.getByRole("link", { name: "Previous month" }).click();
  await expect(figure("Alerts, all")).toContainText("12");

  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "PDF" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`alert-report-${monthText(month)}.pdf`);
  const pdf = await readFile(await download.path());
  expect(pdf.toString("latin1")).toMatch(/^%PDF-[\s\S]*%%EOF\s*$/);
  const text = textOfPdf(pdf);
  for (const words of [`Alert report, ${monthTitle(month)}`, "Well high", unit.name, "12 chattering", "FIRST OUT"])
    expect(text).toContain(words);

  await page.getByRole("link", { name: "Try it: Well high" }).click();
  const trial = formOf(page, "Edit alert").getByRole("region", { name: "Try it" });
  await expect(trial).toBeInViewport();
  await expect(trial.getByRole("status")).toContainText(/No readings in the last 30 days|Last 30 days/);
  expect(await owner(alarms.info, { alarmId })).toMatchObject({ alarmName: "Well high" });
  expect(complaints).toEqual([]);
});

test("a fault can be tried again, and a viewer has no report", async ({ page, server }) => {
  await injectSession(page, server);
  let isBroken = true;
  await page.route("**/api/alarm/report*", (route) => (isBroken ? route.abort() : route.continue()));
  await page.goto("/alarms/report");
  const again = page.getByRole("button", { name: "Try again" });
  await expect(again).toBeVisible();
  isBroken = false;
  await again.click();
  await expect(page.getByText("Alerts an operator hour")).toBeVisible();
  await injectSession(page, server, "viewer");
  await page.goto("/alarms");
  await expect(page.getByRole("region", { name: "Notification" })).toBeVisible();
  await expect(page.getByRole("link", { name: "REPORT" })).toHaveCount(0);
  await page.goto("/alarms/report");
  await expect(page.getByText("Alerts an operator hour")).toHaveCount(0);
});
