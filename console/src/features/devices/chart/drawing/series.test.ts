import { describe, expect, test } from "vitest";
import type { Sample } from "../../../../domain/samples.ts";
import { beyond } from "./series.ts";

const samples: Sample[] = [
  [0, 60],
  [10, 80],
  [20, 90],
];
const lineWith = (...limits: [value: number, high: boolean][]) => ({
  ...{ samples, held: new Set<number>(), kind: "slope" as const },
  thresholds: limits.map(([value, high]) => ({ name: `${value}`, value, high })),
});

describe("the part of a line beyond its limits", () => {
  test("is one line in order of time, also where it is beyond two of them", () => {
    const part = beyond(lineWith([75, true], [70, true], [10, false]), true);
    expect(part.map(([time]) => time)).toEqual([5, 10, 20]);
    expect(part[0], "it begins at the nearest").toEqual([5, 70]);
  });

  test("is judged by the limit of its time: one that was lowered says nothing of what was before", () => {
    const [from, until] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    const limits = [
      { name: "High", value: 88, high: true, during: { from, until: 15 } },
      { name: "High", value: 70, high: true, during: { from: 15, until } },
    ];
    expect(beyond({ ...lineWith(), thresholds: limits }, true)).toEqual([
      [15, 85],
      [20, 90],
    ]);
  });

  test("is nothing without a limit on that side", () => {
    expect(beyond(lineWith([70, true]), false)).toEqual([]);
  });
});
