import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { zoneOf } from "../../text/wall-clock.ts";
import { occurrences, type WindowPlan, WindowRepeat, windowErrors, windowText } from "./maintenance.ts";

const daily: WindowPlan = {
  ...{ repeat: WindowRepeat.daily, date: null, weekday: null, nth: null },
  ...{ from: "02:15", to: "04:00", daysLater: 0, timeZoneId: "Europe/Berlin" },
};
const hour = 3_600_000;
const at = (text: string) => Date.parse(text);
const shown = (plan: WindowPlan, now: string, count: number) =>
  occurrences(plan, at(now), count).map(({ start, end }) => [start.toISOString(), end.toISOString()]);
const spans = (plan: WindowPlan, now: string, count: number) =>
  shown(plan, now, count).map((both) => both.map((text) => text.slice(5, 16)).join(" to "));

describe("daylight saving time", () => {
  // Berlin: 02:00 becomes 03:00 on 2026-03-29, 03:00 becomes 02:00 on 2026-10-25.
  test.each([
    ["a skipped beginning moves on by an hour", { from: "02:15", to: "04:00" }, "03-29T01:15 to 03-29T02:00"],
    ["a skipped end moves on by an hour", { from: "01:00", to: "02:30" }, "03-29T00:00 to 03-29T01:30"],
    ["skipped as a whole it moves on by an hour", { from: "02:15", to: "02:45" }, "03-29T01:15 to 03-29T01:45"],
    [
      "its length is kept where it would end before it begins",
      { from: "02:45", to: "03:15" },
      "03-29T01:45 to 03-29T02:15",
    ],
    ["around the skipped hour it is an hour shorter", { from: "01:00", to: "05:00" }, "03-29T00:00 to 03-29T03:00"],
  ])("in spring: %s", (_name, times, expected) => {
    expect(spans({ ...daily, ...times }, "2026-03-28T23:00:00Z", 1)).toEqual([expected]);
  });

  test.each([
    ["a doubled beginning is the first", { from: "02:15", to: "04:00" }, "10-25T00:15 to 10-25T03:00"],
    ["a doubled end is the first", { from: "01:00", to: "02:30" }, "10-24T23:00 to 10-25T00:30"],
    ["doubled as a whole it counts once", { from: "02:15", to: "02:45" }, "10-25T00:15 to 10-25T00:45"],
    ["around the doubled hour it is an hour longer", { from: "01:00", to: "05:00" }, "10-24T23:00 to 10-25T04:00"],
  ])("in autumn: %s", (_name, times, expected) => {
    expect(spans({ ...daily, ...times }, "2026-10-24T22:00:00Z", 1)).toEqual([expected]);
  });

  test("72 hours are the most, also over the doubled hour", () => {
    const once = { ...daily, repeat: WindowRepeat.once, date: "2026-10-23", from: "12:00", to: "12:00", daysLater: 3 };
    expect(spans(once, "2026-10-20T00:00:00Z", 1)).toEqual(["10-23T10:00 to 10-26T10:00"]);
  });

  test("a daily window occurs once a day, whatever the zone does", () => {
    const zones = ["Europe/Berlin", "America/Chicago", "Australia/Lord_Howe", "Asia/Kathmandu", "America/St_Johns"];
    const clock = fc
      .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
      .map(([h, m]) => [h, m].map((figure) => String(figure).padStart(2, "0")).join(":"));
    fc.assert(
      fc.property(clock, fc.constantFrom(...zones), fc.integer({ min: 0, max: 365 }), (from, timeZoneId, days) => {
        const plan = { ...daily, from, to: from, daysLater: 1, timeZoneId };
        const now = at("2026-01-01T00:00:00Z") + days * 24 * hour;
        const found = occurrences(plan, now, 40);
        const begun = found.map(({ start }) => zoneOf(timeZoneId).day(start));
        expect(new Set(begun).size).toBe(40);
        expect(found.every(({ start, end }) => Math.abs(end.getTime() - start.getTime() - 24 * hour) <= hour)).toBe(
          true,
        );
        const [first, second] = found;
        expect(occurrences(plan, now, 1, first?.start.getTime())).toEqual([second]);
      }),
    );
  });
});

describe("repeats", () => {
  const friday: WindowPlan = { ...daily, repeat: WindowRepeat.monthly, weekday: 5, from: "12:00", to: "18:00" };
  test.each([
    [1, ["2026-12-04", "2027-01-01", "2027-02-05"]],
    [3, ["2026-11-20", "2026-12-18", "2027-01-15"]],
    [5, ["2026-11-27", "2026-12-25", "2027-01-29"]],
  ])("on the weekday %i of the month, 5 for the last", (nth, days) => {
    const found = occurrences({ ...friday, nth }, at("2026-11-19T12:00:00Z"), 3);
    expect(found.map(({ start }) => start.toISOString().slice(0, 10))).toEqual(days);
  });

  test("weekly, also over the turn of a week; the one that has begun comes first", () => {
    const sunday = { ...daily, repeat: WindowRepeat.weekly, weekday: 7, from: "22:00", to: "06:00", daysLater: 2 };
    expect(spans(sunday, "2026-11-23T12:00:00Z", 2)).toEqual([
      "11-22T21:00 to 11-24T05:00",
      "11-29T21:00 to 12-01T05:00",
    ]);
    expect(spans(sunday, "2026-11-24T05:00:00Z", 1)).toEqual(["11-29T21:00 to 12-01T05:00"]);
  });

  test("once, and never after its end", () => {
    const once = { ...daily, repeat: WindowRepeat.once, date: "2027-06-01" };
    expect(spans(once, "2026-11-19T12:00:00Z", 3)).toEqual(["06-01T00:15 to 06-01T02:00"]);
    expect(occurrences(once, at("2027-06-01T02:00:00Z"), 1)).toEqual([]);
  });

  test("in words", () => {
    expect(windowText({ ...friday, nth: 3 })).toBe("Every 3rd Friday, 12:00 to 18:00");
    expect(windowText({ ...daily, daysLater: 1 })).toBe("Every day, 02:15 to 04:00, 1 day later");
  });
});

test.each([
  [{ from: "12:00", to: "12:10" }, "It ends 15 minutes after it begins at the earliest"],
  [{ from: "12:00", to: "11:00" }, "It ends 15 minutes after it begins at the earliest"],
  [{ from: "12:00", to: "12:01", daysLater: 3 }, "A window lasts 72 hours at most"],
  [{ from: "12:00", to: "12:01", daysLater: 1, repeat: WindowRepeat.daily }, "A daily window lasts 24 hours at most"],
])("%o is refused", (times, message) => {
  const window = { name: "Service", deviceIds: [1], repeat: WindowRepeat.once, date: "2026-11-20", daysLater: 0 };
  expect(windowErrors({ ...window, timeZoneId: "UTC", ...times })).toEqual([["to", message]]);
});
