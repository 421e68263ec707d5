import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clipped, isEmpty } from "./rules.ts";

const at = (ms: number) => new Date(ms);
const closed = { startTime: at(1000), endTime: at(2000), last: 9000 };
const open = { startTime: at(1000), endTime: null, last: 9000 };

describe("the part of a settings period that is asked for", () => {
  test("is the whole period, which ends where the next one begins", () => {
    expect(clipped(closed, {}, 5000)).toEqual({ from: 1000, to: 1999 });
  });
  test("of the period in force ends now, or with a reading of a clock that is ahead", () => {
    expect(clipped({ ...open, last: null }, {}, 5000)).toEqual({ from: 1000, to: 5000 });
    expect(clipped({ ...open, last: 4000 }, {}, 5000)).toEqual({ from: 1000, to: 5000 });
    expect(clipped(open, {}, 5000)).toEqual({ from: 1000, to: 9000 });
  });
  test("is clipped to the period", () => {
    expect(clipped(closed, { startTime: at(0), endTime: at(9000) }, 5000)).toEqual({ from: 1000, to: 1999 });
    expect(clipped(closed, { startTime: at(1200), endTime: at(1300) }, 5000)).toEqual({ from: 1200, to: 1300 });
  });
  test("is its latest part, counted back from the newest reading of a device that is silent or whose clock is behind", () => {
    expect(clipped({ ...open, last: 4000 }, { latest: 500 }, 50_000)).toEqual({ from: 3500, to: 50_000 });
    expect(clipped({ ...open, last: 1200 }, { latest: 500 }, 50_000)).toEqual({ from: 1000, to: 50_000 });
    expect(clipped({ ...open, last: null }, { latest: 500 }, 5000)).toEqual({ from: 4500, to: 5000 });
  });
  test("is its latest part, counted back from now where that holds a reading: what is older is not of the last hour", () => {
    expect(clipped({ ...open, last: 4900 }, { latest: 500 }, 5000)).toEqual({ from: 4500, to: 5000 });
    expect(clipped({ ...open, last: 4500 }, { latest: 500 }, 5000)).toEqual({ from: 4500, to: 5000 });
    expect(clipped({ ...open, last: 4499 }, { latest: 500 }, 5000)).toEqual({ from: 3999, to: 5000 });
  });
  test("is its latest part, counted back from now where a clock is ahead: what came before that clock stays in it", () => {
    expect(clipped(open, { latest: 500 }, 5000)).toEqual({ from: 4500, to: 9000 });
  });
  test("is its latest part, which for a period that has ended is before its end", () => {
    expect(clipped(closed, { latest: 500 }, 5000)).toEqual({ from: 1499, to: 1999 });
  });
  test("is empty when they do not meet", () => {
    expect(isEmpty(clipped(closed, { startTime: at(2000) }, 5000))).toBe(true);
    expect(isEmpty(clipped(closed, { endTime: at(999) }, 5000))).toBe(true);
    expect(isEmpty(clipped(closed, { endTime: at(1000) }, 5000))).toBe(false);
  });
  test("never reaches beyond the period", () => {
    const moment = fc.integer({ min: 0, max: 5000 });
    fc.assert(
      fc.property(moment, moment, (start, end) => {
        const { from, to } = clipped(closed, { startTime: at(start), endTime: at(end) }, 5000);
        expect(from).toBeGreaterThanOrEqual(1000);
        expect(to).toBeLessThanOrEqual(1999);
      }),
    );
  });
});
