import type { Page } from "@playwright/test";
import { ChannelMessage, tooShort } from "@telltale/contract/channel-types/checks";
import { Key } from "@telltale/contract/channel-types/keys";
import { type SharedAttributes, topics } from "@telltale/contract/device-api";
import { channelSettings } from "@telltale/contract/domains/channel-settings";
import type { MqttClient } from "mqtt";
import { expect, test } from "./harness.ts";
import { clientOf, injectSession } from "./people.ts";
import { dialogOf, rowsOf } from "./screen.ts";
import type { RunningServer } from "./server-process.ts";
import {
  alarmSwitch,
  channelRegion,
  chosen,
  expectError,
  openSetup,
  save,
  saveAll,
  state,
  typed,
} from "./setup-form.ts";
import { addUnit, connectUnit, publish, type Unit } from "./unit.ts";

test.describe.configure({ timeout: 180_000 });

const notice = (page: Page, sentence: string) => page.getByText(sentence, { exact: true });
const tab = (page: Page, name: string) => page.getByRole("tab", { name });

/** A unit that subscribes to its settings and keeps them, as a device does. */
const listening = async (
  server: RunningServer,
  unit: Unit,
): Promise<{ client: MqttClient; received: SharedAttributes[] }> => {
  const client = await connectUnit(server, unit);
  const received: SharedAttributes[] = [];
  client.on("message", (_topic, payload) => received.push(JSON.parse(payload.toString()) as SharedAttributes));
  await client.subscribeAsync(topics.attributes, { qos: 1 });
  return { client, received };
};

test("a setting is pending until the unit applies it; readings are then scaled and evaluated with it, in a new settings period", async ({
  page,
  server,
}) => {
  const unit = await addUnit(server);
  const { client, received } = await listening(server, unit);
  await publish(client, { AI1: 12 });
  await injectSession(page, server);
  await page.goto(`/configureDevices?deviceSnId=${unit.deviceSnId}`);
  await rowsOf(page, "Devices", unit.name).getByRole("link", { name: unit.deviceSnId }).click();
  await expect(page).toHaveURL(/\/configureDevicesAdd\?deviceId=\d+&typeId=1$/);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("CONFIGURATION-DEVICE / AIS");

  await chosen(page, "AI1", Key.valueForm).selectOption("Sensor signal");
  await typed(page, "AI1", Key.span).fill("16");
  await typed(page, "AI1", Key.higherAlarm).fill("6");
  await typed(page, "AI1", Key.higherHysteresis).fill("0.5");
  await expect(state(page, "4 changes in 1 channel")).toBeVisible();
  await saveAll(page).click();
  await expect(dialogOf(page, "Save all")).toContainText("SPAN100 bar 16 bar");
  await dialogOf(page, "Save all").getByRole("button", { name: "Save", exact: true }).click();
  await expect(notice(page, "Modify successful")).toBeVisible();
  await expect(state(page, "Pending since")).toBeVisible();
  await expect(channelRegion(page, "AI1")).toContainText("Pending");

  await expect
    .poll(() => received.at(-1))
    .toMatchObject({ settingsVersion: 2, channels: { AI1: { span: 16, valueForm: 2 } } });
  await client.publishAsync(topics.attributes, JSON.stringify({ settingsVersion: 2 }), { qos: 1 });
  await expect(state(page, "Applied")).toBeVisible();
  await expect(channelRegion(page, "AI1")).not.toContainText("Pending");

  await publish(client, { AI1: 12 });
  await page.getByRole("link", { name: "AI1", exact: true }).click();
  await expect(page.getByRole("heading", { level: 2, name: "AI1" }).locator("..")).toContainText(/8\.00\s*bar/);
  await expect(rowsOf(page, "Alert history", "8.00 bar")).toContainText("6.00 bar");
  const periods = page.getByRole("radiogroup", { name: "Settings periods" }).getByRole("radio");
  await expect(periods).toHaveCount(2);
  const span = page
    .getByRole("term")
    .filter({ hasText: /^SPAN$/ })
    .locator("xpath=following-sibling::dd");
  await expect(span).toHaveText("16 bar");
  await periods.first().click();
  await expect(span).toHaveText("100 bar");
  await client.endAsync();
});

test("each rule of the channel save has its message at its field, and nothing is saved until all are met", async ({
  page,
  server,
}) => {
  const unit = await addUnit(server, { model: "MIX" });
  await injectSession(page, server);
  const { deviceId } = await openSetup(page, server, unit);
  await saveAll(page).click();
  await expect(notice(page, ChannelMessage.unchanged)).toBeVisible();
  await typed(page, "AI3", Key.zero).fill("");
  await saveAll(page).click();
  await expect(notice(page, ChannelMessage.incomplete)).toBeVisible();
  await expectError(typed(page, "AI3", Key.zero), ChannelMessage.blank);
  await page.getByRole("button", { name: "Discard changes" }).click();
  await expect(state(page, "No changes")).toBeVisible();

  const field = (key: string) => typed(page, "AI1", key);
  const wrong: [string, string, string, string][] = [
    [Key.reportInterval, "2.5", Key.reportInterval, ChannelMessage.whole],
    [Key.reportInterval, "-1", Key.reportInterval, ChannelMessage.whole],
    [Key.reportInterval, "0", Key.reportInterval, tooShort(1)],
    [Key.reportInterval, "43201", Key.reportInterval, "Cannot be more than: 43200"],
    [Key.reportInterval, "often", Key.reportInterval, ChannelMessage.number],
    [Key.reportInterval, "", Key.staticData, ChannelMessage.intervalFirst],
    [Key.staticData, "5", Key.staticData, ChannelMessage.staticOutside],
    [Key.staticData, "43201", Key.staticData, ChannelMessage.staticOutside],
    [Key.zero, "101", Key.zero, ChannelMessage.zeroAboveSpan],
    [Key.span, "50", Key.higherAlarm, ChannelMessage.higherOutside],
    [Key.higherHysteresis, "-1", Key.higherHysteresis, ChannelMessage.negative],
    [Key.higherHysteresis, "", Key.higherHysteresis, ChannelMessage.blank],
    [Key.higherDelay, "86401", Key.higherDelay, "Cannot be more than: 86400"],
    [Key.higherClearDelay, "", Key.higherClearDelay, ChannelMessage.blank],
    [Key.span, "", Key.span, ChannelMessage.blank],
  ];
  for (const [key, text, at, sentence] of wrong) {
    const before = await field(key).inputValue();
    await field(key).fill(text);
    await saveAll(page).click();
    await expectError(field(at), sentence);
    await field(key).fill(before);
  }
  await expect(field(Key.lowerDelay)).toHaveCount(0);
  await alarmSwitch(page, "AI1", Key.lowerAlarm).check();
  await expect(field(Key.lowerDelay)).toHaveValue("0");
  await field(Key.lowerAlarm).fill("99");
  await field(Key.lowerHysteresis).fill("2");
  await expectError(field(Key.lowerAlarm), ChannelMessage.lowerOutside);
  await field(Key.lowerAlarm).fill("79");
  await expectError(field(Key.higherAlarm), ChannelMessage.alarmsCross);
  await alarmSwitch(page, "AI1", Key.lowerAlarm).uncheck();
  await expect(state(page, "No changes")).toBeVisible();

  // The first invalid field is found on any tab.
  await tab(page, "DI").click();
  await typed(page, "DI1", Key.staticData).fill("1");
  await tab(page, "DO").click();
  await saveAll(page).click();
  await expect(typed(page, "DI1", Key.staticData)).toBeFocused();
  await expect(tab(page, "DI")).toHaveAttribute("aria-selected", "true");
  const { settingsVersion } = await (await clientOf(server))(channelSettings.setup, { deviceId });
  expect(settingsVersion).toBe(1);
});

test("each kind of channel has its own settings: a thermistor its table, a contact its modes, an output its sources, vibration no lower alarm", async ({
  page,
  server,
}) => {
  const unit = await addUnit(server, { model: "MIX" });
  await injectSession(page, server);
  await openSetup(page, server, unit);
  await expect(page.getByRole("tab")).toHaveText(["AI", "DI", "DO"]);
  await expect(chosen(page, "AI2", Key.ntcType)).toBeDisabled();
  await chosen(page, "AI2", Key.inputSensorType).selectOption("NTC");
  await chosen(page, "AI2", Key.ntcType).selectOption("10K B3435");
  for (const end of [Key.zero, Key.span]) await expect(typed(page, "AI2", end)).toBeDisabled();
  await expect(chosen(page, "AI2", Key.unit)).toHaveValue("°C");
  await chosen(page, "AI4", Key.analog).selectOption("Speed");
  await expect(chosen(page, "AI4", Key.unit)).toHaveValue("rpm");

  await typed(page, "AI1", Key.higherDelay).fill("30");

  await tab(page, "DI").click();
  await expect(typed(page, "DI1", Key.debounce)).toHaveCount(0);
  await typed(page, "DI2", Key.alarmDelay).fill("5");
  await chosen(page, "DI1", Key.inputMode).selectOption("Counting");
  await chosen(page, "DI1", Key.countingEdge).selectOption("Both");
  await typed(page, "DI1", Key.alarmData).fill("500");
  await typed(page, "DI1", Key.debounce).fill("20");
  await chosen(page, "DI2", Key.sensorType).selectOption("NPN");
  await chosen(page, "DI2", Key.on).selectOption("ON=0");

  await tab(page, "DO").click();
  await expect(chosen(page, "DO1", Key.source)).toHaveCount(0);
  await chosen(page, "DO1", Key.mode).selectOption("Channel");
  const sources = chosen(page, "DO1", Key.source);
  await expect(sources.getByRole("option", { name: "AI1 Low" })).toBeDisabled();
  await expect(sources.getByRole("option", { name: "AI1 High" })).toBeEnabled();
  await saveAll(page).click();
  await expectError(sources, ChannelMessage.blank);
  await sources.selectOption("AI1 High");
  await typed(page, "DO1", "Name").fill("");
  await expectError(typed(page, "DO1", "Name"), ChannelMessage.blank);
  await expect(typed(page, "DO1", "Name")).toHaveAttribute("placeholder", "Digital output name");
  await typed(page, "DO1", "Name").fill("Siren");
  await chosen(page, "DO1", Key.controlContact).selectOption("Normally closed");
  await save(page);
  await expect(notice(page, "Modify successful")).toBeVisible();

  await page.reload();
  await expect(chosen(page, "AI2", Key.ntcType)).toHaveValue("10K B3435");
  await expect(typed(page, "AI1", Key.higherDelay)).toHaveValue("30");
  await tab(page, "DI").click();
  await expect(typed(page, "DI2", Key.alarmDelay)).toHaveValue("5");
  await expect(typed(page, "DI1", Key.alarmData)).toHaveValue("500");
  await tab(page, "DO").click();
  await expect(channelRegion(page, "Siren")).toBeVisible();
  await expect(chosen(page, "Siren", Key.source).locator("option:checked")).toHaveText("AI1 High");

  await openSetup(page, server, await addUnit(server, { model: "VBS" }));
  await expect(typed(page, "VX", Key.higherAlarm)).toBeVisible();
  await expect(alarmSwitch(page, "VX", Key.lowerAlarm)).toHaveCount(0);
});
