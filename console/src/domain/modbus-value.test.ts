import { ReadingStatus } from "@telltale/contract/domains/channels";
import { describe, expect, it } from "vitest";
import { modbusValue } from "./value.ts";

const shown = (channelName: string, value: number | null, unit = "") =>
  modbusValue({ channelCn: channelName, channelName, value, status: ReadingStatus.good, unit });
const text = (channelName: string, value: number, unit = "") => shown(channelName, value, unit).text;

describe("a modbus register (spec 1 §5)", () => {
  it.each(["Under Current", "High Inertia Load", "Locked Rotor", "Third Failure"])(
    "%s is YES above 0, else NO",
    (name) => {
      expect(text(name, 0)).toBe("NO");
      expect(text(name, -1)).toBe("NO");
      expect(text(name, 1)).toBe("YES");
      expect(text(name, 7)).toBe("YES");
    },
  );

  it.each([
    ["Frequency Setting", 1, "60"],
    ["Frequency Setting", 0, "50"],
    ["Frequency Setting", 2, "50"],
    ["Under Current Detection", 1, "ON"],
    ["Under Current Detection", 0, "OFF"],
    ["Under Current Type", 1, "PF"],
    ["Under Current Type", 0, "IN"],
    ["Relay Status", 1, "ON"],
    ["Relay Status", 0, "OFF"],
    ["Start Mode", 1, "AUTO"],
    ["Start Mode", 0, "MANUAL"],
    ["Fault", 0, "0-No"],
    ["Fault", 3, "3-Fail"],
    ["Control", 0, "0-ON"],
    ["Control", 2, "2-OFF"],
  ])("%s of %d is %s", (name, value, expected) => {
    expect(text(name, value)).toBe(expected);
  });

  it.each([
    ["Frequency", 50, "50.0"],
    ["I A", 12.44, "12.4"],
    ["I B", 12.56, "12.6"],
    ["I C", 0, "0.0"],
    ["Real Power", 6.81, "6.8"],
    ["Reactive Power", -0.04, "0.0"],
    ["Power Factor", 0.8649, "0.86"],
    ["Voltage AB", 239.957, "239.96"],
    ["Thermal Capacity", 41, "41.00"],
  ])("%s of %d is %s", (name, value, expected) => {
    expect(text(name, value)).toBe(expected);
  });

  it("has a unit with a figure and none with a text", () => {
    expect(shown("Frequency", 49.98, "Hz")).toEqual({ text: "50.0", unit: "Hz" });
    expect(shown("Frequency Setting", 1, "Hz")).toEqual({ text: "60", unit: "Hz" });
    expect(shown("Relay Status", 1, "bit")).toEqual({ text: "ON", unit: "" });
  });

  it.each([
    ["", 0, "0 hrs 0 min"],
    ["min", 125, "2 hrs 5 min"],
    ["s", 7499, "2 hrs 4 min"],
    ["h", 1.5, "1 hrs 30 min"],
  ])("run time in %j of %d is %s", (unit, value, expected) => {
    expect(text("Run Time", value, unit)).toBe(expected);
  });

  it("is identified by its keyword in any spelling, then by its name", () => {
    const reading = { value: 1, status: ReadingStatus.good, unit: "" };
    expect(modbusValue({ ...reading, channelCn: "relay_status", channelName: "Pump contactor" }).text).toBe("ON");
    expect(modbusValue({ ...reading, channelCn: "40012", channelName: "Relay Status" }).text).toBe("ON");
    expect(modbusValue({ ...reading, channelCn: "40013", channelName: "Anything" }).text).toBe("1.00");
  });

  it("is N/A without data", () => {
    expect(shown("Fault", null)).toEqual({ text: "N/A", unit: "" });
    expect(
      modbusValue({ channelCn: "FAULT", channelName: "Fault", value: 0, status: ReadingStatus.noData, unit: "" }).text,
    ).toBe("N/A");
  });
});
