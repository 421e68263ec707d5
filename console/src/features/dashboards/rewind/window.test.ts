import { describe, expect, it } from "vitest";
import { addressOf, askedIn, lengthIn, momentAt, neighbours, windowAround } from "./window.ts";

const minute = 60_000;
const day = 1_440 * minute;
const now = Date.parse("2026-11-22T14:32:07Z");
const newest = Date.parse("2026-11-22T14:32:00Z");

describe("the window around a moment", () => {
  it.each([
    ["now", newest, newest - day, newest],
    ["within the last day", newest - 700 * minute, newest - day, newest],
    ["on its edge", newest - day, newest - day, newest],
    ["before it", newest - 3 * day, newest - 3.5 * day, newest - 2.5 * day],
    ["just before it", newest - day - minute, newest - 1.5 * day - minute, newest - 0.5 * day - minute],
  ])("%s", (_, at, from, to) => {
    expect(windowAround(at, "24 h", now)).toEqual({ from, to });
  });

  it("always has the moment in it, and nothing that is to come", () => {
    for (const length of ["24 h", "7 d", "30 d"] as const)
      for (let ago = 0; ago < 90 * day; ago += 777 * minute) {
        const at = newest - ago;
        const { from, to } = windowAround(at, length, now);
        expect(from <= at && at <= to && to <= newest).toBe(true);
      }
  });
});

describe("the address", () => {
  it.each([
    ["now", "newest"],
    ["", "newest"],
    ["yesterday", "invalid"],
    [undefined, "invalid"],
    ["2026-11-22T03:12Z", { at: Date.parse("2026-11-22T03:12:00Z") }],
    ["2026-11-22T03:12:40.000Z", { at: Date.parse("2026-11-22T03:12:40Z") }],
  ])("%s", (text, asked) => {
    expect(askedIn(text)).toEqual(asked);
  });

  it("names the minute and reads it again", () => {
    expect(addressOf(newest)).toBe("2026-11-22T14:32Z");
    expect(askedIn(addressOf(newest))).toEqual({ at: newest });
    expect([lengthIn("7d"), lengthIn("30d"), lengthIn("a year"), lengthIn(undefined)]).toEqual([
      "7 d",
      "30 d",
      "24 h",
      "24 h",
    ]);
  });
});

describe("moments", () => {
  const window = { from: 0, step: 10, moments: 11 };

  it.each([
    [-5, 0],
    [0, 0],
    [9, 0],
    [10, 10],
    [99, 90],
    [500, 100],
  ])("%i is shown as %i", (at, moment) => {
    expect(momentAt(window, at)).toBe(moment);
  });

  it("lead from alert to alert: the first moment at which each stands", () => {
    expect(neighbours(window, [-7, 15, 41, 105], 20)).toEqual({ previous: 0, next: 50 });
    expect(neighbours(window, [-7, 15, 41, 105], 50)).toEqual({ previous: 20, next: undefined });
    expect(neighbours(window, [], 50)).toEqual({ previous: undefined, next: undefined });
  });
});
