import { monthOn, monthStretch } from "@telltale/contract/text/months";
import { zoneOf } from "@telltale/contract/text/wall-clock";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fileNamePart, monthLabel, rangeError } from "./rules.ts";

const utc = zoneOf("UTC");
const now = Date.parse("2026-11-21T12:00:00Z");
const validationError = (start: string | undefined, end: string | undefined, zone = utc) =>
  rangeError({ startTime: start ? new Date(start) : undefined, endTime: end ? new Date(end) : undefined }, zone, now);

describe("the days that can be downloaded", () => {
  test("lie from 30 to 10 days before today", () => {
    expect(validationError("2026-10-22T00:00:00Z", "2026-11-11T23:59:59.999Z")).toBeUndefined();
    expect(validationError("2026-11-11T00:00:00Z", "2026-11-11T23:59:59.999Z")).toBeUndefined();
    const sentence = "Choose Data from 2026-10-22 to 2026-11-11";
    expect(validationError("2026-10-21T23:59:59.999Z", "2026-11-11T00:00:00Z")).toBe(sentence);
    expect(validationError("2026-10-25T00:00:00Z", "2026-11-12T00:00:00Z")).toBe(sentence);
  });

  test("need both ends, in their order", () => {
    expect(validationError(undefined, "2026-11-01")).toBe("Choose Data");
    expect(validationError("2026-11-01", undefined)).toBe("Choose Data");
    expect(validationError("2026-11-02", "2026-11-01")).toBe("End date is before start date");
  });

  test("are those of the device's clock", () => {
    const chicago = zoneOf("America/Chicago");
    // Local 23:59:59 of the eleventh is the twelfth in UTC.
    expect(validationError("2026-10-22T05:00:00Z", "2026-11-12T05:59:59.999Z", chicago)).toBeUndefined();
    expect(validationError("2026-10-22T04:59:59Z", "2026-11-12T05:59:59.999Z", chicago)).toMatch(/^Choose Data from/);
    expect(validationError("2026-10-22T05:00:00Z", "2026-11-12T06:00:00Z", chicago)).toMatch(/^Choose Data from/);
  });
});

const zones = [
  "UTC",
  "America/Chicago",
  "Europe/Berlin",
  "Asia/Kolkata",
  "Australia/Lord_Howe",
  "Pacific/Apia",
  "Africa/Cairo",
  "America/Havana",
];
describe("months", () => {
  test("follow each other without a gap in every zone", () => {
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer({ min: 2015 * 12, max: 2035 * 12 }), (zone, month) => {
        const clock = zoneOf(zone);
        const { from, to } = monthStretch(clock, month);
        expect(monthStretch(clock, month + 1).from).toBe(to + 1);
        expect([monthOn(clock, from), monthOn(clock, to)]).toEqual([month, month]);
      }),
      { numRuns: 300 },
    );
  });

  test("have their names", () => {
    expect(monthLabel(2026 * 12 + 9)).toEqual({ packMonthUs: "October", packYear: 2026 });
  });
});

test("a file name contains no path and no shell characters", () => {
  expect(fileNamePart("../../Pump house 2; rm -rf /")).toBe("Pump-house-2-rm--rf");
  expect(fileNamePart("Mühle/№ 4")).toBe("Mühle-4");
});
