import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { zoneOf } from "./zone.ts";

const chicago = zoneOf("America/Chicago");

describe("the clock of a time zone", () => {
  test("formats a time in the device's time zone", () => {
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

  test("parses any local time to the first and the last moment that has it", () => {
    const zones = [
      "UTC",
      "America/Chicago",
      "America/Havana",
      "America/Santiago",
      "Europe/Berlin",
      "Africa/Cairo",
      "Asia/Beirut",
      "Asia/Kathmandu",
      "Australia/Lord_Howe",
      "Pacific/Apia",
    ];
    const changes = ["2026-03-08", "2026-03-29", "2026-04-05", "2026-10-25", "2026-11-01", "2028-02-29"];
    const near = fc
      .tuple(fc.constantFrom(...changes), fc.integer({ min: -86_400, max: 2 * 86_400 }))
      .map(([date, seconds]) => Date.parse(date) + seconds * 1000);
    const anytime = fc.integer({ min: Date.parse("2015-01-01") / 1000, max: 2_051_222_400 }).map((at) => at * 1000);
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.oneof(near, anytime), (name, ts) => {
        const zone = zoneOf(name);
        const stamp = zone.stamp(ts);
        const [first, last] = [zone.moment(stamp) ?? 0, zone.moment(stamp, "last") ?? 0];
        expect([zone.stamp(first), zone.stamp(last)]).toEqual([stamp, stamp]);
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
});
