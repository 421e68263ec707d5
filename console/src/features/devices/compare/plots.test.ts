import { zoneOf } from "@telltale/contract/text/wall-clock";
import { describe, expect, test } from "vitest";
import type { ChartModel, Limits } from "../chart/drawing/chart-model.ts";
import { limitsOf } from "./limits.ts";
import { areLimitsNear, axesOf, type Line, plotsOf, readingAt, roomBeside, shortened } from "./plots.ts";

const line = (place: number, unit: string, values: number[], more: Partial<ChartModel> = {}): Line => ({
  channelId: place,
  place,
  deviceName: "Pump house",
  model: {
    name: `AI${place}`,
    unit,
    samples: values.map((value, index) => [index * 10, value]),
    range: { start: 0, end: 100 },
    thresholds: [],
    limits: "near",
    spans: [],
    held: new Set(),
    gaps: [],
    kind: "slope",
    zone: zoneOf("UTC"),
    show: String,
    ...more,
  },
});

test("channels of one unit share an axis, and a plot has two axes at most", () => {
  const lines = [line(0, "bar", [1, 2]), line(1, "m³/h", [40, 60]), line(2, "bar", [7, 9]), line(3, "°C", [20, 21])];
  const axes = axesOf(lines, "near");
  expect(axes.map(({ unit, lines: own }) => [unit, own.length])).toEqual([
    ["bar", 2],
    ["m³/h", 1],
    ["°C", 1],
  ]);
  expect(axes[0]?.scale).toMatchObject({ min: 0, max: 10 });
  const plots = plotsOf(axes, { left: 50, right: 750, top: 30, bottom: 430 });
  expect(plots.map((plot) => plot.axes.length)).toEqual([2, 1]);
  expect(plots[1]?.field.bottom).toBe(430);
});

test("large values have room beside their plot", () => {
  const usual = roomBeside(axesOf([line(0, "bar", [1, 2]), line(1, "", [0, 100])], "near"));
  const large = roomBeside(axesOf([line(0, "lx", [0, 1_200_000]), line(1, "", [0, 1_200_000_000])], "near"));
  expect(large.left).toBeGreaterThan(usual.left);
  expect(large.right).toBeGreaterThan(usual.right);
});

test("the name of a limit ends within a narrow plot, where the values of the right axis begin", () => {
  const thresholds = [{ name: "Higher Alarm", value: 8, high: true }];
  const named = line(0, "bar", [6, 9], { name: "Discharge pressure of the second pump", thresholds });
  const field = { left: 56, right: 300, top: 30, bottom: 300 };
  const plots = plotsOf(axesOf([named, line(1, "m³/h", [0, 100])], "all"), field);
  const [limit] = plots.flatMap(limitsOf);
  expect(limit?.text).toMatch(/^Disch.*….*pump, Higher Alarm 8$/);
  expect((limit?.nameLeft ?? 0) + (limit?.width ?? 0)).toBeLessThan(field.right + 8);
});

describe("the limits of an axis", () => {
  const limitOf = (value: number) => ({ name: "Higher Alarm", value, high: true });
  const pressure = line(0, "bar", [6, 7], { thresholds: [limitOf(8), limitOf(80)] });
  const topOf = (limits: Limits) => axesOf([pressure], limits)[0]?.scale.max;

  test("are those within one span of the data, unless all or none are wanted", () => {
    expect(topOf("near")).toBeGreaterThanOrEqual(8);
    expect(topOf("near")).toBeLessThan(80);
    expect(topOf("all")).toBeGreaterThanOrEqual(80);
    expect(topOf("none")).toBeLessThan(8);
  });

  test("are all included by themselves only where all are near", () => {
    expect(areLimitsNear([pressure])).toBe(false);
    expect(areLimitsNear([line(0, "bar", [6, 7], { thresholds: [limitOf(8)] })])).toBe(true);
  });

  test("one that was changed is drawn over its time, and named where its line is as long as its name", () => {
    const during = (from: number, until: number) => ({ during: { from, until } });
    const changed = [
      { ...limitOf(7), ...during(0, 5) },
      { ...limitOf(6.5), ...during(5, 60) },
      { ...limitOf(7.5), ...during(60, Number.POSITIVE_INFINITY) },
    ];
    const [plot] = plotsOf(axesOf([line(0, "bar", [6, 7], { thresholds: changed })], "near"), {
      ...{ left: 0, right: 1000, top: 30, bottom: 430 },
    });
    const limits = plot ? limitsOf(plot) : [];
    expect(limits.map(({ value, left, right, named }) => [value, left, right, named !== undefined])).toEqual([
      [7.5, 600, 1000, true],
      [7, 0, 50, false],
      [6.5, 50, 600, true],
    ]);
  });

  test("a far one is told at the edge of the plot, whatever else has its name there", () => {
    const other = line(1, "bar", [6, 7], { thresholds: [limitOf(90), limitOf(-90), limitOf(7.5)] });
    const [plot] = plotsOf(axesOf([pressure, other], "near"), { left: 50, right: 750, top: 30, bottom: 430 });
    const limits = plot ? limitsOf(plot) : [];
    const away = limits.filter(({ isAway }) => isAway);
    expect(away.map(({ text }) => text)).toEqual([
      "↑ AI0, Higher Alarm 80",
      "↑ AI1, Higher Alarm 90",
      "↓ AI1, Higher Alarm -90",
    ]);
    const heights = away.map(({ named }) => named ?? Number.NaN);
    expect(heights.every((height) => height > 30 && height <= 430)).toBe(true);
    expect(new Set(heights).size).toBe(3);
    expect(limits.filter(({ isAway }) => !isAway).map(({ value }) => value)).toEqual([8, 7.5]);
  });
});

test("the value at a moment is the nearer reading, the last of a step, and none in a gap", () => {
  const { model } = line(0, "bar", [1, 2, 3]);
  expect(readingAt(model, 17)?.[1]).toBe(3);
  expect(readingAt({ ...model, kind: "switch" }, 17)?.[1]).toBe(2);
  expect(readingAt({ ...model, held: new Set([10]) }, 17)?.[1]).toBe(2);
  expect(readingAt({ ...model, gaps: [{ start: 10, end: 20 }] }, 17)).toBeUndefined();
});
test("a unit without readings has no axis that is made up", () => {
  expect(axesOf([line(0, "bar", [], { samples: [[5, null]] })], "near")).toEqual([]);
  expect(axesOf([line(0, "bar", []), line(1, "°C", [20, 21])], "near").map(({ unit }) => unit)).toEqual(["°C"]);
});

test("a long name keeps the end that tells it from others", () => {
  const names = ["Bearing temperature, pump 1", "Bearing temperature, pump 2"].map((name) => shortened(name, 21));
  expect(names).toEqual(["Bearing te…re, pump 1", "Bearing te…re, pump 2"]);
  expect(shortened("Discharge pressure", 21)).toBe("Discharge pressure");
});
