import { alarms } from "@telltale/contract/domains/alarms";
import { check, errorsOf } from "./accessibility.ts";
import { addRule, standing } from "./alert-rule.ts";
import { expect, test } from "./harness.ts";
import { injectSession } from "./people.ts";
import { formOf, rowsOf } from "./screen.ts";
import { connectUnit, publish } from "./unit.ts";

test.describe.configure({ timeout: 180_000 });

test("a rule with a delay is tried on what was measured before it is saved, and raises by it", async ({
  page,
  server,
}) => {
  const complaints = errorsOf(page);
  const { owner, unit, alarmId } = await addRule(server);
  const now = Date.now();
  const history = [75, 40, 75, 75, 40, 30].map((AI1, index) => ({
    ts: now - (60 - index * 4) * 60_000 + (index === 1 ? -230_000 : 0),
    values: { AI1 },
  }));
  const device = await connectUnit(server, unit);
  for (const reading of history) await publish(device, reading);
  await injectSession(page, server);
  await page.goto(`/configureAlarm?tab=custom&alarmId=${alarmId}`);
  const dialog = formOf(page, "Edit alert");
  const trial = dialog.getByRole("region", { name: "Try it" });
  await expect(trial).toContainText("Last 30 days: 2 alerts, worst day 2. With 60 s delay: 1");
  await expect(trial).toContainText("1 under a minute");
  await expect(trial.getByRole("img", { name: /^AI1, .* In alarm / })).toBeVisible();
  await trial.getByRole("button", { name: "none 2" }).click();
  await expect(trial).not.toContainText("With 60 s delay");
  await trial.getByRole("button", { name: "60 s 1" }).click();
  await trial.getByRole("button", { name: "7 days" }).click();
  await expect(trial).toContainText("Last 7 days: 2 alerts, worst day 2. With 60 s delay: 1");
  await check(page, "the form of an alert with a trial");
  await trial.getByRole("button", { name: "Apply" }).click();
  await expect(dialog.getByText("raised after 60 s, cleared at once")).toBeVisible();
  await expect(trial, "tried again by itself").toContainText("Last 7 days: 1 alert, worst day 1");
  await dialog.getByText("When exactly").click();
  await dialog.getByLabel("At least", { exact: true }).fill("30");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toContainText("Enter how often as a number from 1 to 20");
  await dialog.getByLabel("At least", { exact: true }).fill("1");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
  expect(await owner(alarms.info, { alarmId })).toMatchObject({ onDelay: 60, offDelay: 0, times: 1 });
  await publish(device, { ts: now - 50_000, values: { AI1: 75 } });
  await page.goto("/alarms?view=standing");
  await expect(standing(page, unit)).toHaveCount(0);
  await publish(device, { ts: now + 20_000, values: { AI1: 76 } });
  await device.endAsync();
  await expect(standing(page, unit)).toContainText("76.00 bar");
  expect(complaints).toEqual([]);
});

test("the condition is chosen in the form, and its alert says in words what is wrong", async ({ page, server }) => {
  const complaints = errorsOf(page);
  const { unit, alarmId } = await addRule(server);
  const device = await connectUnit(server, unit);
  await publish(device, { ts: Date.now() - 5_000, values: { AI1: 40 } });
  await injectSession(page, server);
  await page.goto(`/configureAlarm?tab=custom&alarmId=${alarmId}`);
  const dialog = formOf(page, "Edit alert");
  const condition = dialog.getByRole("group", { name: "Condition" });
  await condition.getByText("No data").click();
  await expect(dialog.getByLabel("Threshold type")).toBeHidden();
  await dialog.getByLabel("Nothing for").fill("0");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toContainText("The time is 60 seconds to 7 days");
  await condition.getByText("Rate of change").click();
  await dialog.getByLabel("Measured over").fill("60");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toContainText("Within its range this channel can't change that fast for that time");
  await condition.getByText("Sensor fault").click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
  await expect(rowsOf(page, "Custom alerts", unit.name)).toContainText("Sensor fault");
  await publish(device, { ts: Date.now(), values: { AI1: 5_000 } });
  await device.endAsync();
  await page.goto("/alarms?view=standing");
  await expect(standing(page, unit)).toContainText("Sensor fault: beyond the sensor's range");
  expect(complaints).toEqual([]);
});

test("a rule that is being added is tried as soon as it says what to watch, and says why it can't be", async ({
  page,
  server,
}) => {
  const complaints = errorsOf(page);
  const { unit } = await addRule(server);
  const device = await connectUnit(server, unit);
  for (const [ago, AI1] of [
    [30, 40],
    [20, 75],
    [10, 40],
  ] as const)
    await publish(device, { ts: Date.now() - ago * 60_000, values: { AI1 } });
  await device.endAsync();
  await injectSession(page, server);
  await page.goto("/configureAlarm?tab=custom");
  await page.getByRole("button", { name: "Add alert" }).click();
  const dialog = formOf(page, "Add alert");
  const trial = dialog.getByRole("region", { name: "Try it" });
  await expect(trial).toContainText("As soon as channel and condition are complete");
  const choose = async (field: string, text: string, option: string) => {
    await dialog.getByRole("combobox", { name: field }).fill(text);
    await page.getByRole("option", { name: option }).first().click();
  };
  await choose("Device", unit.name, unit.name);
  await choose("Channel", "AI1", "AI1");
  await dialog.getByRole("combobox", { name: "Threshold type" }).click();
  await page.getByRole("option", { name: "High" }).click();
  await dialog.getByLabel("Value").fill("70");
  await dialog.getByLabel("Hysteresis").fill("1");
  await expect(trial, "without a name and recipients").toContainText("Last 30 days: 1 alert, worst day 1");
  await dialog.getByLabel("Value").fill("90");
  await expect(trial).toContainText("Last 30 days: no alert");
  await choose("Channel", "AI2", "AI2");
  await expect(trial).toContainText("No readings in the last 30 days");
  await dialog.getByLabel("Value").fill("5000");
  await expect(trial.getByRole("alert")).toContainText("Enter the correct alarm value");
  await dialog.getByLabel("Value").fill("");
  await expect(trial).toContainText("As soon as channel and condition are complete");
  expect(complaints).toEqual([]);
});
