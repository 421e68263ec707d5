import { zoneOf } from "@telltale/contract/text/wall-clock";
import { expect, test } from "vitest";
import type { ChartModel } from "../chart/drawing/chart-model.ts";
import { axesOf, type Line, plotsOf, readingAt, roomBeside, shortened } from "./plots.ts";

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
  const axes = axesOf(lines, true);
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
  const usual = roomBeside(axesOf([line(0, "bar", [1, 2]), line(1, "", [0, 100])], true));
  const large = roomBeside(axesOf([line(0, "lx", [0, 1_200_000]), line(1, "", [0, 1_200_000_000])], true));
  expect(large.left).toBeGreaterThan(usual.left);
  expect(large.right).toBeGreaterThan(usual.right);
});

test("limits within one span of the data are included when they are wanted", () => {
  const pressure = line(0, "bar", [6, 7], { thresholds: [{ name: "Higher Alarm", value: 8, high: true }] });
  expect(axesOf([pressure], true)[0]?.scale.max).toBeGreaterThanOrEqual(8);
  expect(axesOf([pressure], false)[0]?.scale.max).toBeLessThan(8);
});

test("the value at a moment is the nearer reading, the last of a step, and none in a gap", () => {
  const { model } = line(0, "bar", [1, 2, 3]);
  expect(readingAt(model, 17)?.[1]).toBe(3);
  expect(readingAt({ ...model, kind: "switch" }, 17)?.[1]).toBe(2);
  expect(readingAt({ ...model, held: new Set([10]) }, 17)?.[1]).toBe(2);
  expect(readingAt({ ...model, gaps: [{ start: 10, end: 20 }] }, 17)).toBeUndefined();
});
test("a unit without readings has no axis that is made up", () => {
  expect(axesOf([line(0, "bar", [], { samples: [[5, null]] })], true)).toEqual([]);
  expect(axesOf([line(0, "bar", []), line(1, "°C", [20, 21])], true).map(({ unit }) => unit)).toEqual(["°C"]);
});

test("a long name keeps the end that tells it from others", () => {
  const names = ["Bearing temperature, pump 1", "Bearing temperature, pump 2"].map((name) => shortened(name, 21));
  expect(names).toEqual(["Bearing te…re, pump 1", "Bearing te…re, pump 2"]);
  expect(shortened("Discharge pressure", 21)).toBe("Discharge pressure");
});
