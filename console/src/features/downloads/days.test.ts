import { describe, expect, test } from "vitest";
import { choosableDays, isTooFar } from "./days.ts";

describe("the days of a download", () => {
  test("are between 30 and 10 days ago", () => {
    expect(choosableDays("2026-03-05")).toEqual({ first: "2026-02-03", last: "2026-02-23" });
  });

  test("are at most 30, in both directions", () => {
    expect(isTooFar("2026-02-01", "2026-03-02")).toBe(false);
    expect(isTooFar("2026-02-01", "2026-03-03")).toBe(true);
    expect(isTooFar("2026-03-03", "2026-02-01")).toBe(true);
  });
});
