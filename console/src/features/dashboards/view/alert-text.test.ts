import { AlertClass, type AlertRow, AlertStatus, AlertType } from "@telltale/contract/domains/alerts";
import { expect, it } from "vitest";
import { alertLine, nameOf } from "./alert-text.ts";

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
  alarmName: "",
  priority: 2,
  receivedTime: null,
  peak: null,
  assignedName: null,
  silentUntil: null,
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
  expect(nameOf(system)).toBe("Booster pump skid");
});
