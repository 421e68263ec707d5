import type { ChannelRow, ChannelType } from "@telltale/contract/domains/channels";
import { expect, test } from "vitest";
import { channelThen, lineKind, valueText } from "./shown-value.ts";

const channel = (channelType: ChannelType, channelAnalogId: number, channelCn: string, unit = ""): ChannelRow => ({
  deviceChannelId: 1,
  channelName: channelCn,
  channelCn,
  channelType,
  channelAnalogId,
  unit,
  channelSwitch: 1,
});

test("a value is shown with its unit, a register in its own format", () => {
  expect(valueText(channel(1, 1, "AI1", "bar"), 8.8)).toBe("8.80 bar");
  expect(valueText(channel(4, 14, "I A", "A"), 20.16)).toBe("20.2 A");
  expect(valueText(channel(4, 14, "Fault"), 3)).toBe("3-Fail");
  expect(valueText(channel(2, 100, "DI1"), 1)).toBe("ON");
});

test("analog values are interpolated, two-state values are switches, counts and registers are steps", () => {
  expect(lineKind(channel(1, 1, "AI1", "bar"))).toBe("slope");
  expect(lineKind(channel(6, 103, "VX", "mg"))).toBe("slope");
  expect(lineKind(channel(2, 100, "DI1"))).toBe("switch");
  expect(lineKind(channel(3, 101, "DO1"))).toBe("switch");
  expect(lineKind(channel(2, 102, "DI3"))).toBe("steps");
  expect(lineKind(channel(4, 14, "I A", "A"))).toBe("steps");
  expect(lineKind(channel(4, 14, "Relay Status"))).toBe("switch");
  expect(lineKind(channel(4, 14, "Start Mode"))).toBe("switch");
  expect(lineKind(channel(4, 14, "Control"))).toBe("steps");
  expect(lineKind(channel(4, 14, "Run Time", "min"))).toBe("steps");
  expect(lineKind(channel(4, 14, "Fault"))).toBe("steps");
});

test("readings of earlier settings have the unit and the kind of then", () => {
  const pressure = channelThen(channel(1, 1, "AI1", "bar"), { unit: "psi", inputMode: null });
  expect(valueText(pressure, 120)).toBe("120.00 psi");
  const contact = channel(2, 100, "DI1");
  const counter = channelThen(contact, { unit: undefined, inputMode: 3 });
  expect([lineKind(counter), valueText(counter, 57)]).toEqual(["steps", "57"]);
  expect(lineKind(channelThen(counter, { unit: undefined, inputMode: 2 }))).toBe("switch");
});
