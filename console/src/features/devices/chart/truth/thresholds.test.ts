import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Threshold } from "../../../../domain/channel-settings.ts";
import type { Sample } from "../../../../domain/samples.ts";
import { excessOf, isBeyond, limitsIn, nearestLimits, partBeyond } from "./thresholds.ts";

const higher: Threshold = { name: "Higher Alarm", value: 8, high: true };
const lower: Threshold = { name: "Lower Alarm", value: 2, high: false };

describe("the part of a line beyond a threshold", () => {
  test("begins and ends where the line crosses", () => {
    const line: Sample[] = [
      [0, 6],
      [10, 10],
      [20, 10],
      [30, 6],
    ];
    expect(partBeyond(line, higher)).toEqual([
      [5, 8],
      [10, 10],
      [20, 10],
      [25, 8],
      [25, null],
    ]);
  });

  test("lies below a low threshold", () => {
    const line: Sample[] = [
      [0, 3],
      [10, 1],
      [20, 3],
    ];
    expect(partBeyond(line, lower)).toEqual([
      [5, 2],
      [10, 1],
      [15, 2],
      [15, null],
    ]);
  });

  test("does not extend across a gap", () => {
    const line: Sample[] = [
      [0, 9],
      [5, null],
      [10, 9],
      [20, 9],
    ];
    expect(partBeyond(line, higher)).toEqual([
      [0, 9],
      [0, null],
      [10, 9],
      [20, 9],
    ]);
  });

  test("has vertical edges on a stepped line", () => {
    const line: Sample[] = [
      [0, 0],
      [10, 1],
      [20, 0],
    ];
    expect(partBeyond(line, { ...higher, value: 0.5 }, true)).toEqual([
      [10, 1],
      [20, 1],
      [20, null],
    ]);
  });

  test("a value at the threshold is beyond it: it raises the alert", () => {
    expect(partBeyond([[0, 8]], higher)).toEqual([[0, 8]]);
    expect(partBeyond([[0, 2]], lower)).toEqual([[0, 2]]);
    expect(partBeyond([[0, 7.99]], higher)).toEqual([]);
  });

  test("contains every sample beyond the threshold and no other", () => {
    const line = fc.array(fc.tuple(fc.integer({ min: 1, max: 50 }), fc.option(fc.integer({ min: 0, max: 16 }))));
    fc.assert(
      fc.property(line, (steps) => {
        let time = 0;
        const samples = steps.map(([step, value]): Sample => {
          time += step;
          return [time, value];
        });
        const part = partBeyond(samples, higher);
        const values = part.flatMap(([, value]) => (value === null ? [] : [value]));
        expect(values.every((value) => value >= 8 - 1e-9)).toBe(true);
        const beyond = samples.filter(([, value]) => value !== null && value >= 8);
        for (const [at, value] of beyond) expect(part).toContainEqual([at, value]);
        expect(part.every(([at], index) => index === 0 || at >= (part[index - 1]?.[0] ?? 0))).toBe(true);
      }),
    );
  });
});

describe("a limit that was changed", () => {
  const [before, since]: [Threshold, Threshold] = [
    { ...higher, value: 10, during: { from: 0, until: 20 } },
    { ...higher, during: { from: 20, until: Number.POSITIVE_INFINITY } },
  ];
  const line: Sample[] = [
    [0, 9],
    [15, 9],
    [25, 9],
    [40, 9],
  ];

  test("judges the readings of its own time alone", () => {
    expect(partBeyond(line, before)).toEqual([]);
    expect(partBeyond(line, since)).toEqual([
      [20, 9],
      [25, 9],
      [40, 9],
    ]);
    expect(line.map((sample) => isBeyond(sample, since))).toEqual([false, false, true, true]);
    expect(isBeyond([20, 9], since), "at the moment of the change the new one holds").toBe(true);
    expect(isBeyond([20, 11], before)).toBe(false);
  });

  test("ends the red part at the moment of the change", () => {
    const risen: Sample[] = [
      [0, 11],
      [30, 11],
    ];
    expect(partBeyond(risen, before)).toEqual([
      [0, 11],
      [20, 11],
      [20, null],
    ]);
    expect(partBeyond([...risen.slice(0, 1), [18, null], [30, 11]], before), "not across a gap").toEqual([
      [0, 11],
      [0, null],
    ]);
    const steps: Sample[] = [
      [0, 11],
      [30, 5],
    ];
    expect(partBeyond(steps, before, true)).toEqual([
      [0, 11],
      [20, 11],
      [20, null],
    ]);
  });

  test("is reached first while it holds", () => {
    const rule = { ...higher, name: "Rule", value: 9 };
    expect(nearestLimits([before, since, rule, lower], true).map(({ value, during }) => [value, during])).toEqual([
      [9, { from: Number.NEGATIVE_INFINITY, until: 0 }],
      [9, { from: 0, until: 20 }],
      [8, { from: 20, until: Number.POSITIVE_INFINITY }],
    ]);
    expect(nearestLimits([before, since], false)).toEqual([]);
  });

  test("is in a view of its time", () => {
    expect(limitsIn([before, since, lower], { start: 0, end: 15 })).toEqual([before, lower]);
    expect(limitsIn([before, since, lower], { start: 10, end: 30 })).toEqual([before, since, lower]);
    expect(limitsIn([before, since, lower], { start: 20, end: 30 })).toEqual([since, lower]);
  });
});

describe("the summary of an excess", () => {
  test("lists each span and the extreme value", () => {
    const line: Sample[] = [
      [0, 6],
      [10, 10],
      [20, 6],
      [30, 6],
      [40, 12],
      [50, 12],
    ];
    expect(excessOf(partBeyond(line, higher), higher)).toEqual({
      stretches: [
        { start: 5, end: 15 },
        { start: expect.closeTo(33.33, 1), end: 50 },
      ],
      worst: 12,
    });
  });

  test("is undefined when the line never crossed", () => {
    expect(excessOf(partBeyond([[0, 3]], higher), higher)).toBeUndefined();
  });
});
