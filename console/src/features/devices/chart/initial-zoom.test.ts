import { describe, expect, test } from "vitest";
import type { Sample } from "../../../domain/samples.ts";
import { viewOf } from "./drawing/chart-model.ts";
import { initialZoom, timeAxisRange } from "./initial-zoom.ts";

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];
const now = Date.parse("2026-11-20T20:30:00Z");

const every = (step: number, count: number, last = now): Sample[] =>
  Array.from({ length: count }, (_, index): Sample => [last - (count - 1 - index) * step, 5]);

const latest = { start: now - day, end: now, isExplicit: false };

/** Relative positions in the initial plot: 0 is its left edge, 1 its right one. */
const places = (samples: Sample[], requested = latest): number[] => {
  const opening = initialZoom(samples, requested);
  const range = timeAxisRange(samples, requested, opening);
  const view = viewOf(range, opening ?? { start: 0, end: 100 });
  return samples.map(([time]) => (time - view.start) / (view.end - view.start));
};

describe("the initial view of the chart", () => {
  test.each([
    ["6 readings, 10 minutes apart", every(10 * minute, 6)],
    ["4 readings, 3 s apart, half a minute ago", every(3 * second, 4, now - 30 * second)],
    ["20 readings, a day apart", every(day, 20)],
    ["2 readings, half a day apart", every(day / 2, 2)],
    ["200 readings of a young period", every(5 * second, 200)],
    ["1000 readings, 3 s apart, 10 hours ago", every(3 * second, 1000, now - 10 * hour)],
  ])("%s fill the plot", (_name, samples) => {
    const at = places(samples);
    expect(at[0]).toBeGreaterThanOrEqual(0);
    expect(at[0]).toBeLessThan(0.05);
    expect(at.at(-1)).toBeGreaterThan(0.9);
    expect(at.at(-1)).toBeLessThan(1);
  });

  test("a single reading is centred, even from a clock that is ahead", () => {
    expect(places([[now - 5 * hour, 1]])).toEqual([0.5]);
    expect(places([[now + 5 * hour, 1]])).toEqual([0.5]);
  });

  test("readings within a second have an axis with seconds", () => {
    const samples = every(10, 35);
    const range = timeAxisRange(samples, latest, initialZoom(samples, latest));
    expect(range.end - range.start).toBe(2 * second);
  });

  test("a day of readings opens on its first 15 percent", () => {
    const samples = every(minute, 1440);
    expect(initialZoom(samples, latest)).toEqual({ start: 0, end: 15 });
    expect(timeAxisRange(samples, latest, { start: 0, end: 15 })).toEqual({ start: samples[0]?.[0], end: now });
  });

  test("an early outlier does not push the other readings out of view", () => {
    const at = places([[now - 20 * hour, 1], ...every(3 * second, 1000)]);
    expect(at[0]).toBeLessThan(0.05);
    expect(at.at(-1)).toBeGreaterThan(0.9);
  });

  test("a device that stopped reporting is shown up to its last reading and part of the gap", () => {
    const samples = every(minute, 300, now - 10 * hour);
    const { end } = timeAxisRange(samples, latest, initialZoom(samples, latest));
    expect(end - (now - 10 * hour)).toBeCloseTo(0.1 * 299 * minute);
  });

  test("a range chosen by the user is shown from start to end", () => {
    const requested = { start: now - 7 * day, end: now, isExplicit: true };
    const few = every(hour, 6);
    expect(timeAxisRange(few, requested, initialZoom(few, requested))).toEqual({ start: now - 7 * day, end: now });
    expect(initialZoom(few, requested)).toEqual({ start: 0, end: 100 });
    expect(initialZoom(every(minute, 10_000), requested)).toEqual({ start: 0, end: 15 });
    expect(timeAxisRange([], { start: now, end: now, isExplicit: true }, undefined)).toEqual({
      start: now,
      end: now + second,
    });
  });

  test("a window is shown from start to end, however few readings it has and however long ago the last one was", () => {
    const requested = { start: now - hour, end: now, isExplicit: false, isWhole: true };
    const before = [...every(5 * minute, 3, now - hour), ...every(5 * minute, 8, now - 20 * minute)];
    for (const samples of [every(10 * second, 400), every(20 * minute, 3), before, every(minute, 1)]) {
      const opening = initialZoom(samples, requested);
      expect(opening).toEqual({ start: 0, end: 100 });
      expect(timeAxisRange(samples, requested, opening)).toEqual({ start: now - hour, end: now });
    }
  });

  test("there is no initial view before the first reading", () => {
    expect(initialZoom([], latest)).toBeUndefined();
    expect(initialZoom([[now, null]], latest)).toBeUndefined();
  });
});
