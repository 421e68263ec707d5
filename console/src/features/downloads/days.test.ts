import { zoneOf } from "@telltale/contract/text/wall-clock";
import { describe, expect, test } from "vitest";
import { choosableDays, isTooFar, momentsOf } from "./days.ts";

describe("the days of a download", () => {
  test("are between 30 and 10 days ago", () => {
    expect(choosableDays("2026-03-05")).toEqual({ first: "2026-02-03", last: "2026-02-23" });
  });

  test("are at most 30, in both directions", () => {
    expect(isTooFar("2026-02-01", "2026-03-02")).toBe(false);
    expect(isTooFar("2026-02-01", "2026-03-03")).toBe(true);
    expect(isTooFar("2026-03-03", "2026-02-01")).toBe(true);
  });

  test("begin and end in the device's time zone, across a clock change", () => {
    expect(momentsOf("2026-10-31", "2026-11-01", zoneOf("America/Chicago"))).toEqual({
      startTime: new Date("2026-10-31T05:00:00.000Z"),
      endTime: new Date("2026-11-02T05:59:59.999Z"),
    });
  });
});
