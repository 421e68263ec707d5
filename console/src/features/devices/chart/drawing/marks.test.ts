import { zoneOf } from "@telltale/contract/text/wall-clock";
import { describe, expect, test } from "vitest";
import type { Threshold } from "../../../../domain/channel-settings.ts";
import type { ChartModel } from "./chart-model.ts";
import { layoutOf } from "./layout.ts";
import { groundMarks, thresholdMarks } from "./marks.ts";

const whole = { start: 0, end: 100 };
const tokens = {
  line: "",
  grid: "",
  axis: "",
  threshold: "",
  span: "",
  zoom: "",
  accent: "",
  accentFill: "",
  alarmText: "",
  surface: "",
  surface2: "",
  gap: "",
  mark: "",
  text1: "",
  border: "",
  borderStrong: "",
  text2: "",
  font: "",
};

const wetWell = (thresholds: Threshold[]): ChartModel => ({
  name: "Wet well level",
  unit: "m",
  samples: [
    [0, 1],
    [100, 2],
  ],
  range: { start: 0, end: 100 },
  thresholds,
  limits: "near",
  spans: [],
  held: new Set(),
  gaps: [],
  kind: "slope",
  zone: zoneOf("UTC"),
  show: (value) => `${value} m`,
});

const scale = { min: 0.5, max: 3, step: 0.5, decimals: 1 };

/** Where the names of the limits stand in a plot of this width, from the top. */
const heightsOf = (values: number[], width: number): number[] => {
  const thresholds = values.map((value) => ({ name: `Limit ${value}`, value, high: value > 1 }));
  const layout = layoutOf(width, 400);
  const plot = layout.height - layout.top - layout.bottom;
  const drawing = { model: wetWell(thresholds), layout, tokens };
  return thresholdMarks(drawing, whole, scale).data.flatMap((mark) => {
    if (!("label" in mark) || !("offset" in mark.label) || !("yAxis" in mark)) return [];
    const { offset: moved } = mark.label;
    const offset = Array.isArray(moved) ? Number(moved[1]) : 0;
    return [layout.top + (plot * (scale.max - mark.yAxis)) / (scale.max - scale.min) + offset];
  });
};

test.each([
  ["one off the plot and one just below its edge", [3.1, 2.9]],
  ["two at one height", [2, 2.01]],
  ["several off both ends", [5, 4, 3.5, 0.1, 0.2, 0.6]],
])("the names of limits cover none of another: %s", (_name, values) => {
  for (const [width, height] of [
    [900, 33],
    [360, 19],
  ] as const) {
    const heights = heightsOf(values, width).toSorted((a, b) => a - b);
    expect(heights).toHaveLength(values.length);
    for (const [index, at] of heights.entries())
      expect(at - (heights[index - 1] ?? Number.NEGATIVE_INFINITY), `in ${width} pixels`).toBeGreaterThanOrEqual(
        height - 0.01,
      );
  }
});

test("a limit that is alone has its name at its line", () => {
  const [at = 0] = heightsOf([2], 900);
  expect(at).toBeCloseTo(30 + (294 * (3 - 2)) / 2.5);
});

describe("a limit that was changed in the view", () => {
  const changed = (from: number, until: number, value: number): Threshold => ({
    ...{ name: "Higher Alarm", value, high: true },
    during: { from, until },
  });
  const linesOf = (thresholds: Threshold[], view = whole) => {
    const drawing = { model: wetWell(thresholds), layout: layoutOf(900, 400), tokens };
    return thresholdMarks(drawing, view, scale).data.map((mark) => (Array.isArray(mark) ? mark : [mark]));
  };

  test("is a line over its time, and the next one over the rest", () => {
    const lines = linesOf([changed(0, 60, 2.5), changed(60, Number.POSITIVE_INFINITY, 2)]);
    expect(lines.map((ends) => ends.map((end) => ("coord" in end ? end.coord : undefined)))).toEqual([
      [
        [60, 2],
        [100, 2],
      ],
      [
        [0, 2.5],
        [60, 2.5],
      ],
    ]);
  });

  test("has its name in the plot, where its line is long enough for it", () => {
    const positions = (until: number) =>
      linesOf([changed(0, until, 2.5)]).map(([mark]) => (mark && "label" in mark ? mark.label : undefined));
    expect(positions(60)).toMatchObject([{ show: true, position: "insideStartTop" }]);
    expect(positions(5)).toMatchObject([{ show: false }]);
  });

  test("is not drawn in a view of another time", () => {
    expect(linesOf([changed(0, 60, 2.5)], { start: 70, end: 100 })).toEqual([]);
  });
});

test("the name of a device's event stands above the plot, before its end where there is no room after its start", () => {
  const placeOf = (start: number) => {
    const band = { alarmLogId: 1, start, end: 100, label: "Low battery: 17 %, 14:42 ~ NOW" };
    const drawing = { model: { ...wetWell([]), band }, layout: layoutOf(900, 400), tokens };
    return groundMarks(drawing, whole).data.flatMap(([from]) => (from && "label" in from ? from.label : []));
  };
  expect(placeOf(10)).toMatchObject([{ show: true, position: [0, -21], align: "left" }]);
  expect(placeOf(95)).toMatchObject([{ show: true, position: ["100%", -21], align: "right" }]);
});
