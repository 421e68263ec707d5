import { describe, expect, test } from "vitest";
import { joined, lonely, type Sample, samplesOf, withGaps } from "./samples.ts";

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

  test("stays whole while the device reports as expected", () => {
    const line = every(minute, 20);
    expect(withGaps(line, minute)).toEqual(line);
  });

  test("is broken in the middle of a silence", () => {
    const line = [...every(minute, 10), ...every(minute, 10, 60 * minute)];
    const broken = withGaps(line, minute);
    expect(broken).toHaveLength(21);
    expect(broken[10]).toEqual([(9 * minute + 60 * minute) / 2, null]);
  });

  test("is not broken where a device reports slower than its settings say", () => {
    expect(withGaps(every(10 * minute, 20), minute)).toHaveLength(20);
  });

  test("is not broken by uneven steps of a line that holds only minima and maxima", () => {
    const line = Array.from({ length: 200 }, (_, bucket): Sample[] => [
      [bucket * 100 * minute + (bucket % 7) * 5 * minute, 1],
      [bucket * 100 * minute + 90 * minute, 2],
    ]).flat();
    expect(withGaps(line, minute)).toHaveLength(400);
  });

  test("is not broken where an unchanged value is reported seldom, as the settings say", () => {
    const line = [...every(minute, 10), ...every(minute, 10, 19 * minute)];
    expect(withGaps(line, 10 * minute)).toHaveLength(20);
  });

  test("handles no reading and one", () => {
    expect(withGaps([], minute)).toEqual([]);
    expect(withGaps([[5, 1]], minute)).toEqual([[5, 1]]);
  });

  test("knows the readings that stand alone", () => {
    expect(
      lonely([
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

  test("fine samples replace the coarse ones of their window only", () => {
    const detail = { window: { start: 25, end: 45 }, samples: every(5, 6, 20) };
    expect(joined({ overview, detail, live: [] }).map(([time]) => time)).toEqual([
      0, 10, 20, 25, 30, 35, 40, 45, 50, 60, 70, 80, 90,
    ]);
  });

  test("a window without a reading leaves its place empty", () => {
    const detail = { window: { start: 25, end: 45 }, samples: [] };
    expect(joined({ overview, detail, live: [] }).map(([time]) => time)).toEqual([0, 10, 20, 50, 60, 70, 80, 90]);
  });

  test("live readings follow the newest stored one, each once", () => {
    const live: Sample[] = [
      [80, 1],
      [90, 2],
      [100, 3],
    ];
    expect(joined({ overview, live }).slice(-2)).toEqual([
      [90, 9],
      [100, 3],
    ]);
  });
});
