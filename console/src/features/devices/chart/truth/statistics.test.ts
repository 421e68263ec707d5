import { zoneOf } from "@telltale/contract/text/wall-clock";
import { describe, expect, test } from "vitest";
import { heldFor, heldTimes, withHeld } from "../../../../domain/held.ts";
import type { Sample } from "../../../../domain/samples.ts";
import type { ChartModel } from "../drawing/chart-model.ts";
import { gapsOf } from "./gaps.ts";
import { alarmTimeOf, statisticsOf } from "./statistics.ts";

const model = (samples: Sample[], more: Partial<ChartModel> = {}): ChartModel => ({
  name: "AI1",
  unit: "bar",
  samples,
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
});

const whole = { start: 0, end: 100 };

describe("the statistics of a window", () => {
  test("have extremes with their times, and a mean weighted by time", () => {
    const line = model([
      [0, 0],
      [90, 0],
      [100, 10],
    ]);
    expect(statisticsOf(line, whole)).toMatchObject({
      points: 3,
      min: { time: 0, value: 0 },
      max: { time: 100, value: 10 },
      mean: 0.5,
    });
    expect(statisticsOf(line, { start: 90, end: 100 })).toMatchObject({ points: 2, mean: 5, length: 10 });
  });

  test("weigh a step by how long it held, and no gap", () => {
    const steps: Sample[] = [
      [0, 1],
      [25, 0],
      [50, null],
      [75, 1],
      [100, 1],
    ];
    expect(statisticsOf(model(steps, { kind: "switch" }), whole).mean).toBe(1);
    const held = heldTimes(
      [
        [0, 4],
        [80, 8],
        [100, 8],
      ],
      () => ({ report: 20, unchanged: 60 }),
    );
    const line = model(
      [
        [0, 4],
        [80, 8],
        [100, 8],
      ],
      { held },
    );
    expect(statisticsOf(line, whole).mean).toBeCloseTo((4 * 80 + 8 * 20) / 100, 1);
  });

  test("count the time in alarm once, however many alerts were open", () => {
    const spans = [
      { alarmLogId: 1, start: 10, end: 40, label: "" },
      { alarmLogId: 2, start: 30, end: 60, label: "" },
      { alarmLogId: 3, start: 90, end: 200, label: "" },
    ];
    expect(statisticsOf(model([[50, 1]], { spans, gaps: [{ start: 60, end: 100 }] }), whole)).toMatchObject({
      inAlarm: 60,
      noData: 40,
      mean: 1,
    });
  });
});

test("a value is held only where the channel reports changes alone, and not beyond a gap", () => {
  const line: Sample[] = [
    [0, 4],
    [60, 5],
    [80, 5],
    [200, null],
    [300, 6],
  ];
  expect([...heldTimes(line, () => ({ report: 20, unchanged: 100 }))]).toEqual([0]);
  expect([...heldTimes(line, () => ({ report: 20, unchanged: 20 }))]).toEqual([]);
  expect(
    [...heldTimes(line, () => ({ report: 10, unchanged: 30 }))],
    "later than an unchanged value is reported",
  ).toEqual([60]);
  expect(withHeld(line, new Set([0])).slice(0, 3)).toEqual([
    [0, 4],
    [59, 4],
    [60, 5],
  ]);
});

test("a value is held by the settings of its time, whatever they are since", () => {
  const line: Sample[] = [
    [0, 4],
    [60, 5],
    [120, 6],
  ];
  const intervals = (time: number) => ({ report: 20, unchanged: time < 60 ? 100 : 20 });
  expect([...heldTimes(line, intervals)]).toEqual([0]);
});

test("a silence is judged by the settings of its time", () => {
  const longest = (from: number) => (from < 50 ? 60 : 5);
  const line: Sample[] = [
    [40, 1],
    [60, 1],
  ];
  expect(gapsOf(line, { range: { start: 0, end: 100 }, known: 90, longest })).toEqual([{ start: 60, end: 90 }]);
});

describe("the time in alarm", () => {
  const spans = [{ alarmLogId: 1, start: 60, end: 90, label: "" }];
  const textOf = (more: Partial<ChartModel>, zoom = whole) => {
    const line = model([[50, 1]], { spans, ...more });
    return alarmTimeOf(line, statisticsOf(line, zoom));
  };

  test("is a least where the channel had more alerts than are loaded, and says since when they are", () => {
    expect(textOf({ alertsSince: 55 })).toEqual({
      text: "at least 0 s",
      reason: "There were more alerts than are counted and marked: only those since 1970-01-01 00:00:00 are",
    });
  });

  test("is exact where all are loaded, also in a part of the window", () => {
    expect(textOf({})).toEqual({ text: "0 s", reason: undefined });
    expect(textOf({ alertsSince: 55 }, { start: 60, end: 100 }).reason).toBeUndefined();
  });
});

test("a value that is held for a moment only gets no dot of its own: many would cover the line", () => {
  const line: Sample[] = [
    [0, 4],
    [30, 5],
    [200, 6],
  ];
  expect(heldFor(line, new Set([0, 30]), 100)).toEqual([[30, 5]]);
});

test("there are no data between the parts of a line, before its beginning and after its end", () => {
  const line: Sample[] = [
    [30, 1],
    [40, 1],
    [50, null],
    [60, 1],
  ];
  const extent = { range: { start: 0, end: 100 }, known: 90, longest: () => 15 };
  expect(gapsOf(line, extent)).toEqual([
    { start: 0, end: 30 },
    { start: 40, end: 60 },
    { start: 60, end: 90 },
  ]);
  expect(gapsOf(line, { ...extent, range: { start: 20, end: 70 } })).toEqual([{ start: 40, end: 60 }]);
  expect(gapsOf([], extent)).toEqual([]);
});
