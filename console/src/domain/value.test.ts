import { Analog, ReadingStatus } from "@telltale/contract/domains/channels";
import { describe, expect, it } from "vitest";
import { withDecimals } from "../ui/format/decimals.ts";
import { channelValue, isNoData } from "./value.ts";

const reading = (value: number | null, over: Partial<Parameters<typeof channelValue>[0]> = {}) =>
  channelValue({ value, status: ReadingStatus.good, unit: "bar", channelAnalogId: Analog.pressure, ...over });

describe("a channel's value", () => {
  it("has two decimals and the channel's own unit", () => {
    expect(reading(8.4199)).toEqual({ text: "8.42", unit: "bar" });
    expect(reading(6)).toEqual({ text: "6.00", unit: "bar" });
  });

  it("is not converted: a temperature stays in degrees Celsius", () => {
    expect(reading(85.8, { unit: "°C", channelAnalogId: Analog.temperature })).toEqual({ text: "85.80", unit: "°C" });
  });

  it("keeps its text in alarm", () => {
    expect(reading(8.42, { status: ReadingStatus.alarm })).toEqual({ text: "8.42", unit: "bar" });
  });

  it("is N/A without a value, and with status 2 whatever the last value was", () => {
    expect(reading(null)).toEqual({ text: "N/A", unit: "" });
    expect(reading(8.42, { status: ReadingStatus.noData })).toEqual({ text: "N/A", unit: "" });
    expect(reading(1, { status: ReadingStatus.noData, channelAnalogId: Analog.digitalInput }).text).toBe("N/A");
  });

  it.each([Analog.digitalInput, Analog.digitalOutput])("of type %i is ON or OFF, without a unit", (channelAnalogId) => {
    expect(reading(1, { channelAnalogId })).toEqual({ text: "ON", unit: "" });
    expect(reading(0, { channelAnalogId })).toEqual({ text: "OFF", unit: "" });
  });

  it("of a counting input is a whole number", () => {
    expect(reading(500, { channelAnalogId: Analog.countingInput, unit: "" })).toEqual({ text: "500", unit: "" });
  });

  it("in mg or rpm is a whole number", () => {
    expect(reading(317.6, { channelAnalogId: Analog.vibrationMg, unit: "mg" }).text).toBe("318");
    expect(reading(1481.8, { channelAnalogId: Analog.speed, unit: "rpm" }).text).toBe("1482");
    expect(reading(1.25, { channelAnalogId: Analog.speed, unit: "m/s" }).text).toBe("1.25");
  });
});

describe("decimals", () => {
  it("never show a negative zero", () => {
    expect(withDecimals(-0.001, 2)).toBe("0.00");
    expect(withDecimals(-0.4, 0)).toBe("0");
  });

  it("become an exponent when a figure would not fit the tile", () => {
    expect(withDecimals(123456789.5, 2)).toBe("123456789.50");
    expect(withDecimals(-1.23456e15, 2)).toBe("-1.235e+15");
  });
});

it("a value of zero is data", () => {
  expect(isNoData({ value: 0, status: ReadingStatus.alarm })).toBe(false);
});
