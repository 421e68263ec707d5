import type { LogGroup, ShownSetting } from "@telltale/contract/domains/channels";
import { expect, test } from "vitest";
import { intervalsOf, thresholdsOf } from "./channel-settings.ts";

const setting = (name: string, val: ShownSetting["val"]): ShownSetting => ({ name, nameVal: String(val), val });
const period = (settings: ShownSetting[]): LogGroup => ({
  logGroupId: 1,
  startTime: new Date(0),
  endTime: null,
  inputMode: null,
  channelSettingChangeDto: settings,
});

const alarms = [
  setting("Report Interval", 60),
  setting("Lower Alarm", 2),
  setting("Lower Alarm Hysteresis", 0.2),
  setting("Higher Alarm", "8.00"),
  setting("Higher Alarm Hysteresis", 0.3),
  setting("STATIC DATA", 600),
];
test("thresholds are parsed from numbers and texts; a missing value gives none", () => {
  expect(thresholdsOf(period(alarms))).toEqual([
    { name: "Lower Alarm", value: 2, high: false },
    { name: "Higher Alarm", value: 8, high: true },
  ]);
  expect(thresholdsOf(period([setting("Higher Alarm", null), setting("Lower Alarm", "")]))).toEqual([]);
});

test("a counter's limit is drawn, and a contact's is no line", () => {
  const digital = (mode: number) => period([setting("Input mode", mode), setting("Alarm Data", 500)]);
  expect(thresholdsOf(digital(3))).toEqual([{ name: "Alarm Data", value: 500, high: true }]);
  expect(thresholdsOf(digital(2))).toEqual([]);
});

test("the report intervals are in milliseconds; what the settings do not say is none", () => {
  expect(intervalsOf(period(alarms))).toEqual({ report: 60_000, unchanged: 600_000 });
  expect(intervalsOf(period([]))).toEqual({ report: 0, unchanged: 0 });
});
