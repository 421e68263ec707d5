import { expect, it } from "vitest";
import { durationText, exactDuration, isOverDay } from "./duration.ts";

const [second, minute, hour] = [1000, 60_000, 3_600_000];

it.each([
  [-5, "0 s"],
  [15.9 * second, "15 s"],
  [minute, "1 min"],
  [28 * minute + 55 * second, "28 min"],
  [hour, "1 h"],
  [hour + 44.5 * minute, "1 h 44 min"],
  [24 * hour, "1 d"],
  [26.9 * hour, "1 d 2 h"],
])("%s ms are %s", (length, text) => expect(durationText(length)).toBe(text));

it("says the seconds where asked to", () => {
  expect(exactDuration(42 * minute + 53 * second)).toBe("42 min 53 s");
  expect(exactDuration(2 * hour + 5 * minute)).toBe("2 h 5 min");
});

it("knows what is over 24 hours", () => {
  expect(isOverDay(24 * hour - 1)).toBe(false);
  expect(isOverDay(24 * hour)).toBe(true);
});
