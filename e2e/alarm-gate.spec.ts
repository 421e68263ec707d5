import { alarms } from "@telltale/contract/domains/alarms";
import { GateType } from "@telltale/contract/domains/alerting/gate";
import { AlertClass, AlertType } from "@telltale/contract/domains/alerts";
import { addRule } from "./alert-rule.ts";
import { abortCall } from "./answers.ts";
import { expect, test } from "./harness.ts";
import { injectSession } from "./people.ts";
import { dialogOf, formOf, rowsOf } from "./screen.ts";
import type { RunningServer } from "./server-process.ts";
import { idsOf } from "./unit.ts";

/** An alert on AI1 that AI2 may gate: how it is now, and a save of its gate by another user. */
const aRule = async (server: RunningServer) => {
  const { owner, unit, alarmId } = await addRule(server);
  const { channels } = await idsOf(owner, unit.deviceSnId);
  const now = () => owner(alarms.info, { alarmId });
  const gate = { gateChannelId: channels.AI2 ?? 0, gateType: GateType.above, gateValue: 5, startUp: 30 };
  const setGate = async () => {
    const { deviceId, notifyUserIds } = await now();
    const watched = { deviceId, deviceChannelId: channels.AI1, type: AlertType.high, alarmValue: 70 };
    const rule = { alarmId, alarmName: "Well high", alarmClass: AlertClass.custom, alarmHysteresis: 1 };
    await owner(alarms.update, { ...watched, ...rule, notifyUserIds, ...gate });
  };
  return { unit, gate, setGate, now };
};

test("an alert keeps what it depends on when it is saved before the channels have come", async ({ page, server }) => {
  const { unit, gate, setGate, now } = await aRule(server);
  await setGate();
  await injectSession(page, server);
  await abortCall(page, alarms.gateChannels);
  await page.goto(`/configureAlarm?tab=custom&deviceSnId=${unit.deviceSnId}`);
  await rowsOf(page, "Custom alerts", unit.name).getByRole("button", { name: "Edit Well high" }).click();
  const form = formOf(page, "Edit alert");
  await form.getByLabel("Alert name").fill("Well full");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Modify successful")).toBeVisible();
  expect(await now()).toMatchObject({ alarmName: "Well full", ...gate });
});

test("what an alert depends on is shown beside one's own changes when another user has set it meanwhile", async ({
  page,
  server,
}) => {
  const { unit, gate, setGate, now } = await aRule(server);
  await injectSession(page, server);
  await page.goto(`/configureAlarm?tab=custom&deviceSnId=${unit.deviceSnId}`);
  await rowsOf(page, "Custom alerts", unit.name).getByRole("button", { name: "Edit Well high" }).click();
  const form = formOf(page, "Edit alert");
  await form.getByLabel("Alert name").fill("Well full");
  await setGate();
  await form.getByRole("button", { name: "Save" }).click();
  const review = dialogOf(page, "Changed in the meantime");
  await expect(review).toContainText("is above 5, after 30 s");
  await review.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Modify successful")).toBeVisible();
  expect(await now()).toMatchObject({ alarmName: "Well full", ...gate });
});
