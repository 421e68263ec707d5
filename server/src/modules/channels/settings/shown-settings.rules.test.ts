import { Analog, type ChannelSettings, ChannelType, InputMode, SensorType } from "@telltale/contract/domains/channels";
import { describe, expect, test } from "vitest";
import { shownSettings } from "./shown-settings.rules.ts";

const analog: ChannelSettings = {
  analogId: Analog.pressure,
  unit: "bar",
  sensorType: SensorType.milliamps4to20,
  valueForm: 1,
  zero: 0,
  span: 16,
  lowerAlarm: 1,
  lowerHysteresis: 0.1,
  higherAlarm: 8,
  higherHysteresis: 0.2,
  reportInterval: 60,
  staticData: 600,
};
const digital: ChannelSettings = {
  analogId: Analog.digitalInput,
  unit: "",
  inputMode: InputMode.statusLog,
  userDefinedOn: 1,
  countingEdge: 3,
  alarmData: 1,
  debounce: 2,
  reportInterval: 60,
};

const names = (type: ChannelType, settings: ChannelSettings) =>
  shownSettings(type, settings).map((setting) => setting.name);
const settingOf = (type: ChannelType, settings: ChannelSettings, name: string) =>
  shownSettings(type, settings).find((setting) => setting.name === name);

describe("the settings of a period, by the specification's names (spec 2 §3)", () => {
  test("of an analog input", () => {
    expect(names(ChannelType.analogInput, analog)).toEqual([
      "Input Sensor type",
      "ANALOG",
      "UNIT",
      "ZERO",
      "SPAN",
      "Lower Alarm",
      "Lower Alarm Hysteresis",
      "Higher Alarm",
      "Higher Alarm Hysteresis",
      "Report Interval",
      "STATIC DATA",
    ]);
    expect(settingOf(1, analog, "Input Sensor type")).toEqual({ name: "Input Sensor type", nameVal: "4-20MA", val: 4 });
    expect(settingOf(1, analog, "ANALOG")).toMatchObject({ nameVal: "Pressure", val: 1 });
    expect(settingOf(1, analog, "Higher Alarm")).toMatchObject({ nameVal: "8 bar", val: 8 });
    expect(settingOf(1, analog, "Report Interval")).toMatchObject({ nameVal: "60 s", val: 60 });
  });

  test("an alarm's delays follow its hysteresis, where they are set", () => {
    const delayed = { ...analog, lowerAlarmDelay: 30, higherClearDelay: 60 };
    const shown = names(ChannelType.analogInput, delayed);
    expect(shown.slice(5, 11)).toEqual([
      ...["Lower Alarm", "Lower Alarm Hysteresis", "Lower Alarm Delay"],
      ...["Higher Alarm", "Higher Alarm Hysteresis", "Higher Clear Delay"],
    ]);
    expect(settingOf(1, delayed, "Higher Clear Delay")).toMatchObject({ nameVal: "60 s", val: 60 });
  });

  test("an NTC has a type in place of ZERO and SPAN", () => {
    const ntc = { ...analog, sensorType: SensorType.ntc, ntcType: "10K B3950" };
    expect(names(ChannelType.analogInput, ntc)).toContain("NTC Type");
    expect(names(ChannelType.analogInput, ntc)).not.toContain("ZERO");
  });

  test("vibration has no Lower Alarm", () => {
    const shown = names(ChannelType.vibration, analog);
    expect(shown).not.toContain("Lower Alarm");
    expect(shown).not.toContain("Lower Alarm Hysteresis");
    expect(shown).toContain("Higher Alarm");
  });

  test("Debounce(ms) is hidden in input mode DI only", () => {
    expect(names(ChannelType.digitalInput, digital)).toContain("Debounce(ms)");
    expect(names(ChannelType.digitalInput, { ...digital, inputMode: InputMode.digital })).not.toContain("Debounce(ms)");
    expect(names(ChannelType.digitalInput, { ...digital, inputMode: InputMode.counting })).toContain("Debounce(ms)");
  });

  test.each([
    [1, "Status Log"],
    [2, "DI"],
    [3, "Counting"],
    [9, "Counting"],
  ])("input mode %d is %s", (inputMode, text) => {
    expect(settingOf(ChannelType.digitalInput, { ...digital, inputMode }, "Input mode")).toMatchObject({
      nameVal: text,
    });
  });

  test("a counting edge is shown where something is counted", () => {
    const counting = { ...digital, inputMode: InputMode.counting };
    expect(settingOf(ChannelType.digitalInput, counting, "Counting Edge")).toMatchObject({ nameVal: "Both", val: 3 });
    expect(names(ChannelType.digitalInput, digital)).not.toContain("Counting Edge");
    expect(settingOf(ChannelType.digitalInput, digital, "User Denfined On")).toMatchObject({ nameVal: "ON=1" });
  });

  test("what is not set is not shown", () => {
    const bare = { analogId: Analog.digitalOutput, unit: "", reportInterval: 60 };
    expect(names(ChannelType.digitalOutput, bare)).toEqual(["Report Interval"]);
    expect(names(ChannelType.modbus, bare)).toEqual(["ANALOG", "Report Interval"]);
  });
});
