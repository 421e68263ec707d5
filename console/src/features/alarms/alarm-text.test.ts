import { Analog } from "@telltale/contract/domains/channels";
import { describe, expect, it } from "vitest";
import { limitText, rangeText } from "./alarm-text.ts";

const analog = { zero: 0, span: 16, unit: "bar", isDiscrete: false, channelAnalogId: Analog.pressure };

describe("the range beside an alert's value", () => {
  it.each([
    ["of an analog channel has its unit", analog, "0 to 16 bar"],
    [
      "of a contact is its two levels",
      { ...analog, unit: "", span: 1, isDiscrete: true, channelAnalogId: 100 },
      "0 (OFF) or 1 (ON)",
    ],
    [
      "of a count has no upper end",
      { ...analog, unit: "", span: null, isDiscrete: true, channelAnalogId: 102 },
      "0 or more",
    ],
    ["of a register is not known", { ...analog, zero: null, span: null }, ""],
    ["may have an upper end only", { ...analog, zero: null }, "16 bar or less"],
  ])("%s", (_what, channel, words) => {
    expect(rangeText(channel)).toBe(words);
  });
});

it("shows a limit as it was entered", () => {
  expect(limitText(2.905, { unit: "m", condition: 1 })).toBe("2.905 m");
  expect(limitText(0, { unit: "", condition: 1 })).toBe("0");
  expect(limitText(null, { unit: "m", condition: 1 })).toBe("");
});
