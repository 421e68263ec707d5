import { describe, expect, test } from "vitest";
import { zoneOf } from "./zone.ts";

const chicago = zoneOf("America/Chicago");

describe("the wall clock of a time zone", () => {
  test("shows a moment as the device's clock does", () => {
    const moment = new Date("2026-11-19T22:28:05.700Z");
    expect(chicago.stamp(moment)).toBe("2026-11-19 16:28:05");
    expect(chicago.clock(moment)).toBe("16:28");
    expect(chicago.day(moment)).toBe("2026-11-19");
    expect(zoneOf("Asia/Kathmandu").clock(moment)).toBe("04:13");
  });

  test("reads back what it shows, in summer and in winter", () => {
    for (const text of ["2026-07-01 00:00:00", "2026-11-19 16:28:05", "2026-03-08 03:00:00", "2026-11-01 03:00:00"]) {
      const moment = chicago.moment(text);
      expect(moment && chicago.stamp(moment)).toBe(text);
    }
  });

  test("takes a date alone as its first second and refuses what is no time", () => {
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
