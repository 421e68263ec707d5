import { describe, expect, test } from "vitest";
import { isolatedSamples, mergeParts, type Sample, samplesOf, withGaps } from "./samples.ts";

const minute = 60_000;
const every = (step: number, count: number, from = 0): Sample[] =>
  Array.from({ length: count }, (_, index): Sample => [from + index * step, index]);

describe("a line of readings", () => {
  test("pairs times and values", () => {
    expect(samplesOf({ dataXs: [1, 2], dataYs: [5, 6] })).toEqual([
      [1, 5],
      [2, 6],
    ]);
  });

  test("is continuous while the device reports as expected", () => {
    const line = every(minute, 20);
    expect(withGaps(line, minute)).toEqual(line);
  });

  test("is broken in the middle of a gap", () => {
    const line = [...every(minute, 10), ...every(minute, 10, 60 * minute)];
    const broken = withGaps(line, minute);
    expect(broken).toHaveLength(21);
    expect(broken[10]).toEqual([(9 * minute + 60 * minute) / 2, null]);
  });

  test("is not broken when a device reports more slowly than its settings say", () => {
    expect(withGaps(every(10 * minute, 20), minute)).toHaveLength(20);
  });

  test("is not broken by uneven steps of a line downsampled to minima and maxima", () => {
    const line = Array.from({ length: 200 }, (_, bucket): Sample[] => [
      [bucket * 100 * minute + (bucket % 7) * 5 * minute, 1],
      [bucket * 100 * minute + 90 * minute, 2],
    ]).flat();
    expect(withGaps(line, minute)).toHaveLength(400);
  });

  test("is not broken where the settings allow rare reports of an unchanged value", () => {
    const line = [...every(minute, 10), ...every(minute, 10, 19 * minute)];
    expect(withGaps(line, 10 * minute)).toHaveLength(20);
  });

  test("is broken between a few readings and a distant one", () => {
    const line: Sample[] = [[0, 1], ...every(minute, 4, 600 * minute)];
    expect(withGaps(line, minute)[1]).toEqual([300 * minute, null]);
    expect(withGaps(line.slice(0, 2), minute), "two have only each other").toHaveLength(2);
  });

  test("handles no reading and one", () => {
    expect(withGaps([], minute)).toEqual([]);
    expect(withGaps([[5, 1]], minute)).toEqual([[5, 1]]);
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

describe("the parts of a line", () => {
  const overview = every(10, 10);
  const timesOf = (samples: Sample[]) => samples.map(([time]) => time);

  test("fine samples replace the coarse ones of their time only", () => {
    const detail = every(5, 5, 25);
    expect(timesOf(mergeParts({ overview, detail, live: [] }, 10))).toEqual([
      0, 10, 20, 25, 30, 35, 40, 45, 50, 60, 70, 80, 90,
    ]);
  });

  test("without fine samples the coarse ones stay", () => {
    expect(mergeParts({ overview, detail: [], live: [] }, 10)).toEqual(overview);
  });

  test("live readings follow the newest stored one, each once", () => {
    const live: Sample[] = [
      [80, 1],
      [90, 2],
      [100, 3],
    ];
    expect(mergeParts({ overview, live }, 10).slice(-2)).toEqual([
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
    expect(mergeParts({ overview: [], live }, 10)).toEqual(live);
  });
});
