import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dayOn, dayText, offsetText, rangeIn, zoneOf } from "./wall-clock.ts";

const chicago = zoneOf("America/Chicago");

const zones = [
  "UTC",
  "America/Chicago",
  "America/Havana",
  "America/Santiago",
  "Europe/Berlin",
  "Africa/Cairo",
  "Asia/Beirut",
  "Asia/Kathmandu",
  "Asia/Kolkata",
  "Australia/Lord_Howe",
  "Pacific/Apia",
];

/** What a clock shows, by another way than the one under test. */
const shown = (zone: string, ts: number): string =>
  new Date(ts).toLocaleString("sv-SE", { timeZone: zone, hourCycle: "h23" });

describe("the wall clock of a time zone", () => {
  test("shows a moment as the device's clock does", () => {
    const moment = new Date("2026-11-19T22:28:05.700Z");
    expect(chicago.stamp(moment)).toBe("2026-11-19 16:28:05");
    expect(chicago.clock(moment)).toBe("16:28");
    expect(chicago.day(moment)).toBe("2026-11-19");
    expect(zoneOf("Asia/Kathmandu").clock(moment)).toBe("04:13");
  });

  test("parses what it formats, in summer and in winter", () => {
    for (const text of ["2026-07-01 00:00:00", "2026-11-19 16:28:05", "2026-03-08 03:00:00", "2026-11-01 03:00:00"]) {
      const moment = chicago.moment(text);
      expect(moment && chicago.stamp(moment)).toBe(text);
    }
  });

  test("shows what the people there see, summer time or not, and reads it back: the first and the last moment that show it", () => {
    const changes = ["2026-03-08", "2026-03-29", "2026-04-05", "2026-10-25", "2026-11-01", "2028-02-29"];
    const near = fc
      .tuple(fc.constantFrom(...changes), fc.integer({ min: -86_400, max: 2 * 86_400 }))
      .map(([date, seconds]) => Date.parse(date) + seconds * 1000);
    const anytime = fc.integer({ min: Date.parse("2015-01-01") / 1000, max: 2_051_222_400 }).map((at) => at * 1000);
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.oneof(near, anytime), (name, ts) => {
        const zone = zoneOf(name);
        const stamp = zone.stamp(ts);
        expect(stamp).toBe(shown(name, ts));
        const [first, last] = [zone.moment(stamp) ?? 0, zone.moment(stamp, "last") ?? 0];
        expect([shown(name, Number(first)), shown(name, Number(last))]).toEqual([stamp, stamp]);
        expect(Number(first)).toBeLessThanOrEqual(ts);
        expect(Number(last)).toBeGreaterThanOrEqual(ts);
      }),
      { numRuns: 1_000 },
    );
  });

  test("moves a time skipped by daylight saving time on by the skip", () => {
    const skipped = chicago.moment("2026-03-08 02:30:00");
    expect(skipped && chicago.stamp(skipped)).toBe("2026-03-08 03:30:00");
    const berlin = zoneOf("Europe/Berlin");
    const other = berlin.moment("2026-03-29 02:30:00");
    expect(other && berlin.stamp(other)).toBe("2026-03-29 03:30:00");
  });

  test("parses a date alone as its first second and rejects invalid times", () => {
    expect(chicago.moment("2026-11-19")?.toISOString()).toBe("2026-11-19T06:00:00.000Z");
    expect(chicago.moment("yesterday")).toBeUndefined();
  });

  test("shows midnight as 00, never as 24", () => {
    expect(zoneOf("UTC").stamp(new Date("2026-11-19T00:00:00Z"))).toBe("2026-11-19 00:00:00");
  });

  test("falls back to UTC for a name it does not know, and says so", () => {
    expect(zoneOf("Mars/Olympus").name).toBe("UTC");
  });

  test("shows an hour twice when summer time ends, with two offsets", () => {
    const [first, second] = [Date.parse("2026-11-01T06:30:00Z"), Date.parse("2026-11-01T07:30:00Z")];
    expect([chicago.offset(first), chicago.offset(second)].map(offsetText)).toEqual(["-05:00", "-06:00"]);
    const wall = Date.parse("2026-11-01T01:30:00Z");
    expect([chicago.showing(wall), chicago.showing(wall, "last")]).toEqual([first, second]);
  });

  test("knows its days and offsets by their texts", () => {
    const kolkata = zoneOf("Asia/Kolkata");
    expect(dayText(dayOn(kolkata, Date.parse("2026-10-31T18:30:00Z")))).toBe("2026-11-01");
    expect(offsetText(kolkata.offset(0))).toBe("+05:30");
  });
});

describe("a range of days", () => {
  test("begins and ends in the time zone, across a clock change; moments stay as they are", () => {
    expect(rangeIn(chicago, { startTime: "2026-10-31", endTime: "2026-11-01" })).toEqual({
      startTime: new Date("2026-10-31T05:00:00.000Z"),
      endTime: new Date("2026-11-02T05:59:59.999Z"),
    });
    const moment = new Date("2026-10-31T05:00:00.000Z");
    expect(rangeIn(chicago, { startTime: moment })).toEqual({ startTime: moment, endTime: undefined });
  });

  test("has each moment of its days and no other, in every zone", () => {
    const anyDay = fc.integer({ min: 16_500, max: 23_700 }).map(dayText);
    fc.assert(
      fc.property(fc.constantFrom(...zones), anyDay, (name, date) => {
        const zone = zoneOf(name);
        const { startTime, endTime } = rangeIn(zone, { startTime: date, endTime: date });
        const [from, to] = [startTime?.getTime() ?? 0, endTime?.getTime() ?? 0];
        expect([from, to].map((ts) => dayText(dayOn(zone, ts)))).toEqual([date, date]);
        expect(rangeIn(zone, { startTime: dayText(dayOn(zone, from) + 1) }).startTime?.getTime()).toBe(to + 1);
      }),
      { numRuns: 500 },
    );
  });
});
