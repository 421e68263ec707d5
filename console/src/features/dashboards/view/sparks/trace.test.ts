import type { SparklinePace } from "@telltale/contract/domains/dashboard/tiles";
import { describe, expect, test } from "vitest";
import { append, forget, gapsOf, heldIn, normalField, scaleOf, traceOf } from "./trace.ts";

const minute = 60_000;
const line = (steps: number[], values: number[], paces: SparklinePace[] = []) => ({
  ...{ deviceChannelId: 1, low: null, high: null, steps, values, paces },
});

describe("the trace of a tile", () => {
  test("has the answer's points at their times, and goes on with newer live readings", () => {
    const first = traceOf(line([60, 60], [1, 2]), 0, minute);
    expect(first).toMatchObject({ times: [minute, 2 * minute], values: [1, 2] });
    expect(append(first, 2 * minute, 9), "a reading that is in the answer already").toBe(false);
    expect(append(first, 3 * minute, 3)).toBe(true);
    const refetched = traceOf(line([60, 60], [1, 2]), 0, minute, first);
    expect(refetched.values, "what came since the answer is kept").toEqual([1, 2, 3]);
  });

  test("keeps the extremes and the newest of many live readings", () => {
    const trace = traceOf(undefined, 0, minute);
    [5, 5, 9, 5, 1, 5, 5, 6].forEach((value, at) => {
      append(trace, at * 100, value);
    });
    expect(trace.values.slice().sort((a, b) => a - b)).toEqual([1, 6, 9]);
    expect(trace.values.at(-1)).toBe(6);
    append(trace, 10_000, 4);
    expect(trace.values, "the next ten seconds have their own").toHaveLength(4);
  });

  test("forgets what has left its hour, but not where the line comes from", () => {
    const trace = traceOf(line([10, 10, 10], [1, 2, 3]), 0, minute);
    forget(trace, 25_000);
    expect(trace.values).toEqual([2, 3]);
    forget(trace, 60_000);
    expect(trace.values).toEqual([3]);
  });

  test("has a gap where three report intervals are silent, and none where a report is late", () => {
    const steps = [...Array.from({ length: 30 }, () => 60), 150, 60, 400, 60];
    const trace = traceOf(line(steps, steps), 0, minute);
    const [after, end] = [(30 * 60 + 210) * 1000, (30 * 60 + 610) * 1000];
    expect(gapsOf(trace, 0, end + 2 * minute)).toEqual([[after, end]]);
  });

  test("has its gaps by how often the channel was to report then, and not by how often it is now", () => {
    const slow = Array.from({ length: 5 }, () => 300);
    const fast = Array.from({ length: 60 }, () => 10);
    const changed = 5 * 300_000 + 60_000;
    const paces = [
      { since: 0, reportWithin: 300 },
      { since: changed, reportWithin: 10 },
    ];
    const steps = [...slow, 70, ...fast, 100, 10];
    const end = steps.reduce((sum, step) => sum + step, 0) * 1000;
    const silent = [end - 110_000, end - 10_000];
    const trace = traceOf(line(steps, steps, paces), 0, 10_000);
    expect(gapsOf(trace, 0, end), "slow at first, then silent once").toEqual([silent]);
    expect([...heldIn(traceOf(line([10, 300, 10, 300], [1, 1, 2, 2], paces), 0, 10_000))]).toEqual([10_000, 320_000]);
    const faster = traceOf(line(slow, slow), 0, 10_000);
    expect(gapsOf(faster, 0, 6 * 300_000), "the usual step of the line itself counts, too").toEqual([]);
  });

  test("has a gap before its first reading, after its last, and where there is none at all", () => {
    const trace = traceOf(line([1200, 60], [1, 2]), 0, minute);
    expect(gapsOf(trace, 0, 60 * minute)).toEqual([
      [0, 20 * minute],
      [21 * minute, 60 * minute],
    ]);
    expect(gapsOf(traceOf(undefined, 0, minute), 0, 60 * minute)).toEqual([[0, 60 * minute]]);
  });
});

test("holds a value that is reported only when it changes, as the chart does, and no other", () => {
  const steps = [10, 10, 600, 180, 10, 10];
  expect([...heldIn(traceOf(line(steps, steps), 0, 10 * minute))]).toEqual([20_000, 620_000]);
  expect(heldIn(traceOf(line(steps, steps), 0, 10_000)).size, "every value is reported").toBe(0);
});

describe("the normal range", () => {
  const height = 36;
  const fieldOf = (values: number[], limits: { low: number | null; high: number | null }) => {
    const { bottom, top } = scaleOf(values, limits);
    return normalField(limits, (value) => height - ((value - bottom) / (top - bottom)) * height, height);
  };
  test("has no place in a drawing of what is far beyond its limit", () => {
    expect(fieldOf([98, 98], { low: null, high: 80 })).toEqual([height, height]);
    expect(fieldOf([2, 2], { low: 20, high: null })).toEqual([0, 0]);
  });
  test("fills one whose limits are far off, and ends at one that is near", () => {
    expect(fieldOf([40, 40], { low: 2, high: 80 }).map(Math.round)).toEqual([0, height]);
    expect(fieldOf([70, 90], { low: null, high: 80 })).toEqual([height / 2, height]);
  });
});

describe("the axis of values", () => {
  test("spans 45 percent of the limit band at least, so that noise stays small", () => {
    const { bottom, top } = scaleOf([50, 50.1], { low: 0, high: 100 });
    expect(top - bottom).toBeCloseTo(45);
  });
  test("spans a tenth of the value where there is no band", () => {
    const { bottom, top } = scaleOf([200, 200.1], { low: null, high: null });
    expect(top - bottom).toBeCloseTo(20, 1);
  });
  test("includes a limit within one span of the data, and no other", () => {
    expect(scaleOf([10, 20], { low: null, high: 29 })).toMatchObject({ top: 29, high: 29 });
    expect(scaleOf([10, 20], { low: null, high: 31 })).toMatchObject({ top: 20, high: null });
  });
});
