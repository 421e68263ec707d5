import { zoneOf } from "@telltale/contract/text/wall-clock";
import { describe, expect, test } from "vitest";
import type { Sample } from "../../../../domain/samples.ts";
import { axisTexts, scaleOf } from "./axes.ts";
import type { ChartModel } from "./chart-model.ts";
import { layoutOf } from "./layout.ts";
import { timeTicks } from "./ticks.ts";
import { axisValue, extremes, nearLimits, scaleAround, valueScale } from "./value-scale.ts";

const chicago = zoneOf("America/Chicago");
const between = (start: string, end: string) => ({ start: new Date(start).getTime(), end: new Date(end).getTime() });

describe("ticks of the time axis", () => {
  test("fall on round times of the device's clock", () => {
    const ticks = timeTicks(between("2026-11-19T20:30:00Z", "2026-11-20T00:06:00Z"), chicago, 8);
    expect(ticks.map(({ label }) => label)).toEqual([
      "14:30",
      "15:00",
      "15:30",
      "16:00",
      "16:30",
      "17:00",
      "17:30",
      "18:00",
    ]);
  });

  test("are round in a zone with a 45-minute offset", () => {
    const ticks = timeTicks(between("2026-11-19T20:00:00Z", "2026-11-19T23:00:00Z"), zoneOf("Asia/Kathmandu"), 4);
    expect(ticks.map(({ label }) => label)).toEqual(["02:00", "03:00", "04:00"]);
  });

  test("show the date at midnight", () => {
    const ticks = timeTicks(between("2026-11-19T20:30:00Z", "2026-11-20T20:30:00Z"), chicago, 8);
    expect(ticks.map(({ label }) => label)).toContain("11-20");
  });

  test("stay on round hours after the clocks change", () => {
    const ticks = timeTicks(between("2026-11-01T00:00:00Z", "2026-11-02T00:00:00Z"), chicago, 8);
    expect(ticks.map(({ time }) => chicago.stamp(time).slice(14))).toEqual(ticks.map(() => "00:00"));
    expect(new Set(ticks.map(({ time }) => time)).size).toBe(ticks.length);
  });

  test("count seconds in a short window and months in a long one", () => {
    expect(timeTicks(between("2026-11-19T20:30:00Z", "2026-11-19T20:30:30Z"), chicago, 6)[0]?.label).toBe("14:30:00");
    const years = timeTicks(between("2024-01-15T00:00:00Z", "2026-11-20T00:00:00Z"), chicago, 8);
    expect(years.map(({ label }) => label)).toEqual(["2024-07", "2025-01", "2025-07", "2026-01", "2026-07"]);
  });
});

const modelOf = (values: number[], more: Partial<ChartModel> = {}): ChartModel => ({
  name: "AI1",
  unit: "bar",
  samples: values.map((value, at): Sample => [at, value]),
  range: { start: 0, end: values.length },
  thresholds: [],
  limits: "near",
  spans: [],
  held: new Set(),
  gaps: [],
  kind: "slope",
  zone: chicago,
  show: String,
  ...more,
});

test("the axis of steps has whole numbers only where the values are: a register may have decimals", () => {
  const scale = (values: number[]) => scaleOf(modelOf(values, { kind: "steps" }), { start: 0, end: 100 });
  expect(scale([0, 1, 1])).toMatchObject({ step: 1, decimals: 0 });
  expect(scale([0, 0.82, 0.85]).max).toBeLessThanOrEqual(1);
});

describe("the room for the values beside the plot", () => {
  const leftOf = (values: number[], unit = "bar") =>
    layoutOf(900, 400, axisTexts(modelOf(values, { unit }), { start: 0, end: 100 })).left;

  test("is the same for usual values, so that charts stand below one another", () => {
    expect(leftOf([1, 9])).toBe(leftOf([12_000, 19_000]));
  });

  test("grows with large values and long units, up to those that are written with an exponent", () => {
    expect(leftOf([100_000, 900_000], "lx")).toBeGreaterThan(leftOf([1, 9]));
    expect(leftOf([-0.0001, -0.0002])).toBeGreaterThan(leftOf([1, 9]));
    expect(leftOf([1, 9], "kWh/(m²a)")).toBeGreaterThan(leftOf([1, 9]));
    expect(leftOf([1e14, 9e14])).toBeLessThan(leftOf([1e11, 5e11]));
  });

  test("values with an exponent have the digits in which the steps differ", () => {
    const scale = valueScale({ low: 1.2e12, high: 1.2e12 + 100 }, []);
    const texts = [1.2e12, 1.2e12 + scale.step].map((value) => axisValue(value, scale));
    expect(new Set(texts).size).toBe(2);
    expect(axisValue(3e14, valueScale({ low: 1e14, high: 9e14 }, []))).toBe("3.0e+14");
  });
});

describe("the value axis", () => {
  const line: Sample[] = [
    [0, 5.5],
    [10, 8.87],
    [20, null],
    [30, 7],
  ];

  test("is round and contains the values", () => {
    expect(extremes(line, { start: 0, end: 40 })).toEqual({ low: 5.5, high: 8.87 });
    expect(valueScale({ low: 5.5, high: 8.87 }, [])).toEqual({ min: 5, max: 9, step: 1, decimals: 0 });
  });

  test("includes a nearby threshold and not a distant one", () => {
    const line = { low: 6, high: 7 };
    expect(nearLimits([8, 2], line)).toEqual([8]);
    expect(valueScale(line, nearLimits([8, 2], line))).toMatchObject({ min: 5.5, max: 8.5 });
    expect(nearLimits([12, 0], line), "an axis that includes it would flatten the line").toEqual([]);
  });

  test("has a single reading in its middle", () => {
    expect(scaleAround(42)).toMatchObject({ min: 37, max: 47 });
    expect(scaleAround(2.54)).toMatchObject({ decimals: 2 });
  });

  test("has a margin around a constant value", () => {
    const { min, max } = valueScale({ low: 50, high: 50 }, []);
    expect(min).toBeLessThan(50);
    expect(max).toBeGreaterThan(50);
  });

  test("has a proportional margin around a small constant value, and around zero", () => {
    expect(valueScale({ low: 0.2, high: 0.2 }, [])).toMatchObject({ min: 0.17, max: 0.23 });
    expect(valueScale({ low: 0, high: 0 }, [])).toMatchObject({ min: -0.6, max: 0.6 });
  });

  test("does not go below zero for values that never do", () => {
    expect(valueScale({ low: 0, high: 10 }, []).min).toBe(0);
  });

  test("has steps for values that differ by very little, and is that of one value where only arithmetic made them differ", () => {
    const { min, max, step } = valueScale({ low: 21.1, high: 21.100000381 }, []);
    expect(step).toBeGreaterThan(0);
    expect(min).toBeLessThan(21.1);
    expect(max).toBeGreaterThan(21.100000381);
    expect(max - min).toBeLessThan(1e-6);
    expect(valueScale({ low: 0.3, high: 0.30000000000000004 }, [])).toEqual(valueScale({ low: 0.3, high: 0.3 }, []));
  });

  test("has as many decimals as its steps need", () => {
    expect(valueScale({ low: 0.01, high: 0.06 }, []).decimals).toBe(2);
    expect(valueScale({ low: 0, high: 12 }, []).decimals).toBeLessThanOrEqual(1);
  });

  test("uses whole steps for discrete values", () => {
    expect(valueScale({ low: 0, high: 1 }, [], 1)).toMatchObject({ min: 0, step: 1, decimals: 0 });
  });

  test("has defaults without any value", () => {
    expect(valueScale(undefined, [5])).toEqual({ min: 0, max: 1, step: 0.5, decimals: 1 });
  });
});
