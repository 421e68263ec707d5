import { zoneOf } from "@telltale/contract/text/wall-clock";
import { describe, expect, test } from "vitest";
import type { Sample } from "../../../../domain/samples.ts";
import { zoomByKey } from "../chart-canvas.tsx";
import type { ChartModel } from "./chart-model.ts";
import { chartText, duration, percent } from "./text.ts";

const hour = 3_600_000;
const start = new Date("2026-11-19T20:30:00Z").getTime();

const model = (values: number[]): ChartModel => ({
  name: "Discharge pressure",
  unit: "bar",
  samples: values.map((value, index): Sample => [start + (index * hour) / 2, value]),
  range: { start, end: start + 24 * hour },
  thresholds: [{ name: "Higher Alarm", value: 8, high: true }],
  limits: "near" as const,
  held: new Set<number>(),
  gaps: [],
  spans: [],
  kind: "slope",
  zone: zoneOf("America/Chicago"),
  show: (value) => `${value.toFixed(2)} bar`,
});

describe("the text alternative of the chart", () => {
  test("names time, threshold and the extreme value", () => {
    expect(chartText(model([7, 7, 7, 9, 7]), { start: 0, end: 15 })).toBe(
      "Discharge pressure, 2026-11-19 14:30:00 to 2026-11-19 18:06:00. Above the 8.00 bar threshold from 15:45 to 16:15, highest 9.00 bar.",
    );
  });

  test("says the day where more than one is in view", () => {
    expect(chartText(model([7, 7, 7, 9, 7]), { start: 0, end: 100 })).toContain("from 11-19 15:45 to 11-19 16:15");
  });

  test("merges short excesses of a line that flickers around its threshold", () => {
    const flicker = model(Array.from({ length: 400 }, (_, index) => (index % 2 ? 8.1 : 7.9)));
    const samples = flicker.samples.map(([, value], index): Sample => [start + index * 1000, value]);
    expect(chartText({ ...flicker, samples }, { start: 0, end: 15 })).toContain(
      "threshold from 14:30 to 14:36, highest",
    );
  });

  test("says nothing of readings from before a limit was lowered", () => {
    const since = start + hour;
    const thresholds = [
      { name: "Higher Alarm", value: 10, high: true, during: { from: start, until: since } },
      { name: "Higher Alarm", value: 8, high: true, during: { from: since, until: Number.POSITIVE_INFINITY } },
    ];
    const text = (values: number[]) => chartText({ ...model(values), thresholds }, { start: 0, end: 15 });
    expect(text([9, 9, 7, 7])).not.toContain("Above");
    expect(text([7, 7, 7, 9, 7])).toContain("Above the 8.00 bar threshold from 15:45 to 16:15");
  });

  test("says when nothing was beyond a threshold", () => {
    expect(chartText(model([7, 7]), { start: 0, end: 15 })).toContain("Within its thresholds.");
  });

  test("states duration and zoom", () => {
    expect(duration(24 * hour)).toBe("24 h");
    expect(duration(15 * 24 * hour)).toBe("15 d");
    expect(duration(90_000)).toBe("1.5 min");
    expect(percent({ start: 0, end: 15 })).toBe("0 ~ 15 %");
    expect(percent({ start: 3.127, end: 4.5 })).toBe("3.1 ~ 4.5 %");
  });
});

describe("zooming by key", () => {
  test("pans within the range", () => {
    expect(zoomByKey({ start: 0, end: 20 }, "ArrowLeft")).toEqual({ start: 0, end: 20 });
    expect(zoomByKey({ start: 0, end: 20 }, "ArrowRight")).toEqual({ start: 2, end: 22 });
    expect(zoomByKey({ start: 0, end: 20 }, "End")).toEqual({ start: 80, end: 100 });
  });

  test("halves and doubles", () => {
    expect(zoomByKey({ start: 40, end: 60 }, "+")).toEqual({ start: 45, end: 55 });
    expect(zoomByKey({ start: 40, end: 60 }, "-")).toEqual({ start: 30, end: 70 });
    expect(zoomByKey({ start: 0, end: 100 }, "-")).toEqual({ start: 0, end: 100 });
  });

  test("ignores other keys", () => {
    expect(zoomByKey({ start: 0, end: 15 }, "Tab")).toBeUndefined();
  });
});
