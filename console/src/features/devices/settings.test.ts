import type { LogGroup, ShownSetting } from "@telltale/contract/channels";
import { expect, test } from "vitest";
import { expectedStep, shownSettings, thresholdsOf } from "./settings.ts";

const setting = (name: string, val: ShownSetting["val"]): ShownSetting => ({ name, nameVal: String(val), val });
const period = (settings: ShownSetting[], inputMode: number | null = null): LogGroup => ({
  logGroupId: 1,
  startTime: new Date(0),
  endTime: null,
  inputMode,
  channelSettingChangeDto: settings,
});

const alarms = [
  setting("Report Interval", 60),
  setting("Lower Alarm", 2),
  setting("Hysteresis", 0.2),
  setting("Higher Alarm", "8.00"),
  setting("Hysteresis", 0.3),
  setting("STATIC DATA", 600),
];
const namesOf = (settings: ShownSetting[]) => settings.map(({ name }) => name);

test("a DI shows no debounce, a counting input does", () => {
  const settings = [setting("Input mode", 2), setting("Debounce(ms)", 2)];
  expect(namesOf(shownSettings(period(settings, 2), 2))).toEqual(["Input mode"]);
  expect(namesOf(shownSettings(period(settings, 3), 2))).toEqual(["Input mode", "Debounce(ms)"]);
});

test("a vibration channel shows no lower alarm and draws none", () => {
  expect(namesOf(shownSettings(period(alarms), 6))).toEqual([
    "Report Interval",
    "Higher Alarm",
    "Hysteresis",
    "STATIC DATA",
  ]);
  expect(thresholdsOf(period(alarms), 6)).toEqual([{ name: "Higher Alarm", value: 8, high: true }]);
});

test("thresholds are numbers whether sent as numbers or as texts; without a value there is none", () => {
  expect(thresholdsOf(period(alarms), 1)).toEqual([
    { name: "Lower Alarm", value: 2, high: false },
    { name: "Higher Alarm", value: 8, high: true },
  ]);
  expect(thresholdsOf(period([setting("Higher Alarm", null), setting("Lower Alarm", "")]), 1)).toEqual([]);
});

test("a device may be silent as long as its longest interval", () => {
  expect(expectedStep(period(alarms))).toBe(600_000);
  expect(expectedStep(period([]))).toBe(60_000);
});
