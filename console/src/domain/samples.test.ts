import { describe, expect, test } from "vitest";
import { isolatedSamples, longestSilence, mergeParts, type Pace, type Sample, samplesOf, withGaps } from "./samples.ts";

const minute = 60_000;
const every = (step: number, count: number, from = 0): Sample[] =>
  Array.from({ length: count }, (_, index): Sample => [from + index * step, index]);
/** The same was expected all the time. */
const each = (expected: number): Pace[] => [{ since: 0, expected }];

describe("a line of readings", () => {
  test("pairs times and values", () => {
    expect(samplesOf({ dataXs: [1, 2], dataYs: [5, 6] })).toEqual([
      [1, 5],
      [2, 6],
    ]);
  });

  test("is continuous while the device reports as expected", () => {
    const line = every(minute, 20);
    expect(withGaps(line, each(minute))).toEqual(line);
  });

  test("is broken in the middle of a gap", () => {
    const line = [...every(minute, 10), ...every(minute, 10, 60 * minute)];
    const broken = withGaps(line, each(minute));
    expect(broken).toHaveLength(21);
    expect(broken[10]).toEqual([(9 * minute + 60 * minute) / 2, null]);
  });

  test("is not broken when a device reports more slowly than its settings say", () => {
    expect(withGaps(every(10 * minute, 20), each(minute))).toHaveLength(20);
  });

  test("is not broken by uneven steps of a line downsampled to minima and maxima", () => {
    const line = Array.from({ length: 200 }, (_, bucket): Sample[] => [
      [bucket * 100 * minute + (bucket % 7) * 5 * minute, 1],
      [bucket * 100 * minute + 90 * minute, 2],
    ]).flat();
    expect(withGaps(line, each(minute))).toHaveLength(400);
  });

  test("is not broken where the settings allow rare reports of an unchanged value", () => {
    const line = [...every(minute, 10), ...every(minute, 10, 19 * minute)];
    expect(withGaps(line, each(10 * minute))).toHaveLength(20);
  });

  test("is broken between a few readings and a distant one", () => {
    const line: Sample[] = [[0, 1], ...every(minute, 4, 600 * minute)];
    expect(withGaps(line, each(minute))[1]).toEqual([300 * minute, null]);
    expect(withGaps(line.slice(0, 2), each(minute)), "two have only each other").toHaveLength(2);
  });

  test("handles no reading and one", () => {
    expect(withGaps([], each(minute))).toEqual([]);
    expect(withGaps([[5, 1]], each(minute))).toEqual([[5, 1]]);
  });

  test("finds isolated readings", () => {
    expect(
      isolatedSamples([
        [1, 4],
        [2, null],
        [3, 5],
        [4, 6],
        [5, null],
        [6, 7],
      ]),
    ).toEqual([
      [1, 4],
      [6, 7],
    ]);
  });
});

describe("a line across a change of the report interval", () => {
  const second = 1000;
  const hour = 60 * minute;
  const gapsOf = (line: Sample[], paces: Pace[]) => withGaps(line, paces).filter(([, value]) => value === null);

  test("is not broken where the channel was to report every ten minutes, and reports every ten seconds since", () => {
    const line = [...every(10 * minute, 4), ...every(10 * second, 180, 31 * minute)];
    expect(gapsOf(line, [...each(10 * minute), { since: 31 * minute, expected: 10 * second }])).toEqual([]);
    expect(gapsOf(line, each(10 * second)), "as the present settings alone would have it").not.toEqual([]);
  });

  test("is broken by an outage of half an hour while it was to report every ten seconds, and reports every hour since", () => {
    const before = every(10 * second, 360).filter(([time]) => time < 20 * minute || time > 50 * minute);
    const line = [...before, ...every(hour, 5, 2 * hour)];
    expect(gapsOf(line, [...each(10 * second), { since: hour, expected: hour }])).toHaveLength(1);
  });

  test("is not broken at the change: the device learns of it with its next report", () => {
    const line = [...every(hour, 30), ...every(10 * second, 30, 30 * hour)];
    expect(gapsOf(line, [...each(hour), { since: 29 * hour + minute, expected: 10 * second }])).toEqual([]);
    const slower = [...every(10 * second, 30), ...every(hour, 30, hour)];
    expect(gapsOf(slower, [...each(10 * second), { since: 5 * minute, expected: hour }])).toEqual([]);
  });

  test("keeps to the steps of a device that reports more slowly than either setting says", () => {
    const line = every(10 * minute, 100);
    expect(gapsOf(line, [...each(minute), { since: 985 * minute, expected: 2 * minute }])).toEqual([]);
    const longest = longestSilence(line, [...each(minute), { since: 985 * minute, expected: 2 * minute }]);
    expect(longest(990 * minute, 1015 * minute), "nor is it silent at once after it").toBe(30 * minute);
  });

  test("is judged by its own steps where no settings are known", () => {
    expect(gapsOf([...every(minute, 30), ...every(minute, 30, hour)], [])).toHaveLength(1);
  });
});

describe("the parts of a line", () => {
  const overview = every(10, 10);
  const timesOf = (samples: Sample[]) => samples.map(([time]) => time);

  test("fine samples replace the coarse ones of their time only", () => {
    const detail = every(5, 5, 25);
    expect(timesOf(mergeParts({ overview, detail, live: [] }, each(10)))).toEqual([
      0, 10, 20, 25, 30, 35, 40, 45, 50, 60, 70, 80, 90,
    ]);
  });

  test("without fine samples the coarse ones stay", () => {
    expect(mergeParts({ overview, detail: [], live: [] }, each(10))).toEqual(overview);
  });

  test("live readings follow the newest stored one, each once", () => {
    const live: Sample[] = [
      [80, 1],
      [90, 2],
      [100, 3],
    ];
    expect(mergeParts({ overview, live }, each(10)).slice(-2)).toEqual([
      [90, 9],
      [100, 3],
    ]);
  });

  test("live readings alone form a line, broken where the device reports no data", () => {
    const live: Sample[] = [
      [10, 1],
      [20, null],
      [30, 2],
    ];
    expect(mergeParts({ overview: [], live }, each(10))).toEqual(live);
  });
});
