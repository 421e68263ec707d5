import type { AlertDelivery } from "@telltale/contract/domains/alerting/entries";
import { AlertClass, type AlertRow, AlertStatus, AlertType } from "@telltale/contract/domains/alerts";
import { expect, it } from "vitest";
import { alertLine, alertName, alertValue, channelBeside, readingValue, whyNotDelivered } from "./alert-text.ts";

const anAlert = (over: Partial<AlertRow> = {}): AlertRow => ({
  alarmLogId: 1,
  alarmLogGroupId: 1,
  status: AlertStatus.triggered,
  alarmClass: AlertClass.threshold,
  alarmType: AlertType.high,
  deviceChannelId: 3,
  channelName: "Discharge pressure",
  deviceName: "Booster pump skid",
  deviceSnId: "7C9EBD4A41A7",
  deviceId: 2,
  value: 8.4199,
  valueUnit: "bar",
  threshold: 8,
  interval: 60,
  createdTime: new Date("2026-11-20T14:31:52Z"),
  acceptTime: null,
  modifiedTime: null,
  acceptName: null,
  msg: "",
  time: new Date("2026-11-20T14:31:52Z"),
  alarmName: "",
  priority: 2,
  receivedTime: null,
  peak: null,
  assignedName: null,
  isSilent: false,
  silentUntil: null,
  wasSilent: false,
  isSwitch: false,
  isRate: false,
  ...over,
});

it("an alert shows type, value and threshold with two decimals", () => {
  expect(alertLine(anAlert())).toEqual({ type: "High", text: "8.42 bar", threshold: "8.00 bar" });
});

it("an alert without a unit has none after the value either", () => {
  const counting = anAlert({ alarmType: AlertType.counting, value: 500, threshold: 480, valueUnit: "" });
  expect(alertLine(counting)).toEqual({ type: "Counting", text: "500.00", threshold: "480.00" });
});

it("a system alert shows its message", () => {
  const system = anAlert({
    alarmType: AlertType.system,
    channelName: null,
    value: null,
    msg: "Offline for 30 minutes",
  });
  expect(alertLine(system)).toEqual({ type: "System", text: "Offline for 30 minutes", threshold: undefined });
  expect(alertName(system)).toBe("Booster pump skid");
});

it("an alert is named after its rule, otherwise after its channel", () => {
  expect(alertName(anAlert())).toBe("Discharge pressure");
  const strained = anAlert({ alarmClass: AlertClass.custom, alarmName: "Pump strained" });
  expect([alertName(strained), channelBeside(strained)]).toEqual(["Pump strained", "Discharge pressure"]);
  const limit = anAlert({ alarmName: "Pump house" });
  expect([alertName(limit), channelBeside(limit)]).toEqual(["Discharge pressure", undefined]);
});

it("a contact's alert shows its word, and no threshold", () => {
  const float = anAlert({ alarmType: AlertType.digitalInput, value: 1, threshold: 1, valueUnit: "" });
  expect(alertLine(float)).toEqual({ type: "DI", text: "ON", threshold: undefined });
  expect(alertLine({ ...float, alarmType: AlertType.digitalOutput, value: 0 })).toMatchObject({ text: "OFF" });
});

it("a contact that a custom alert watches by High shows its word, too", () => {
  const float = anAlert({ alarmClass: AlertClass.custom, value: 1, threshold: 1, valueUnit: "", isSwitch: true });
  expect(alertLine(float)).toEqual({ type: "High", text: "ON", threshold: undefined });
});

it("a value beyond the sensor's range says so, and a condition without a value is told by its text", () => {
  const msg = "Sensor fault: beyond the sensor's range";
  expect(alertLine(anAlert({ msg }))).toMatchObject({ text: `8.42 bar, ${msg}` });
  const system = anAlert({ alarmType: AlertType.system, value: null, threshold: null, msg: "No data for 5 minutes" });
  expect(alertLine(system)).toEqual({ type: "System", text: "No data for 5 minutes", threshold: undefined });
});

it("a rate has the channel's unit in a minute, and its channel's readings have the channel's", () => {
  const rate = anAlert({ value: 5, threshold: 2, valueUnit: "bar/min", isRate: true });
  expect(alertLine(rate)).toEqual({ type: "High", text: "5.00 bar/min", threshold: "2.00 bar/min" });
  expect(readingValue(7, rate)).toBe("7.00 bar");
  expect(readingValue(7, anAlert({ valueUnit: "l/min" })), "a flow is no rate").toBe("7.00 l/min");
});

it("shows 2 decimals and the unit", () => {
  const high = { alarmType: AlertType.high };
  expect(alertValue(8.4, { ...high, valueUnit: "bar" })).toBe("8.40 bar");
  expect(alertValue(500, { ...high, valueUnit: "" })).toBe("500.00");
  expect(alertValue(-0.001, { ...high, valueUnit: "bar" })).toBe("0.00 bar");
});

it("a message that was not delivered says why, as the server does", () => {
  const why = (status: AlertDelivery["status"], fault = "") => whyNotDelivered({ status, fault });
  for (const fault of ["The browser has been signed out", "Confirmed or over before the quiet hours ended"])
    expect(why("skipped", fault)).toBe(fault);
  expect(why("failed", "550 No such user")).toBe("Failed: 550 No such user");
  expect(why("kept")).toBe("Not sent: not set up");
  expect(why("sent")).toBeUndefined();
});
