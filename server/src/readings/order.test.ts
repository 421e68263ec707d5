import fc from "fast-check";
import { expect, test } from "vitest";
import type { Run } from "./block.ts";
import { sorted, sortedInSlices } from "./order.ts";

type Reading = readonly [ts: number, value: number, status: number];

const runOf = (readings: readonly Reading[]): Run => ({
  times: Float64Array.from(readings, ([ts]) => ts),
  values: Float64Array.from(readings, ([, value]) => value),
  statuses: Uint8Array.from(readings, ([, , status]) => status),
});
const readingsOf = ({ times, values, statuses }: Run): Reading[] =>
  Array.from(times, (ts, at) => [ts, values[at] ?? 0, statuses[at] ?? 0]);

/** Few times and values, so that many readings are equal and many of one time. */
const reading = fc.tuple(fc.nat(20), fc.integer({ min: -3, max: 3 }), fc.constantFrom(0, 1, 2));
const runs = fc.array(fc.array(reading, { maxLength: 30 }), { maxLength: 8 });

test("readings of any blocks are in the order of time and value, equal ones once with the gravest status", () => {
  fc.assert(
    fc.property(runs, (blocks) => {
      const given = blocks.map(runOf);
      const before = given.map(readingsOf);
      const all = blocks.flat();
      const expected = all
        .filter(([ts, value], at) => all.findIndex(([t, v]) => t === ts && v === value) === at)
        .map(([ts, value]): Reading => {
          const equal = all.filter(([t, v]) => t === ts && v === value);
          return [ts, value, Math.min(...equal.map(([, , status]) => status))];
        })
        .toSorted((one, other) => one[0] - other[0] || one[1] - other[1]);
      expect(readingsOf(sorted(given))).toEqual(expected);
      expect(given.map(readingsOf)).toEqual(before);
    }),
    { numRuns: 500 },
  );
});

test("a channel's very many readings, several at a time, are ordered in slices, between which the server answers", async () => {
  const count = 200_000;
  const run = runOf(Array.from({ length: count }, (_, at) => [Math.floor(at / 7), (at * 7919) % 1_000, 1]));
  let slices = 0;
  const slice = {
    isUsedUp: () => true,
    next: async () => {
      slices += 1;
    },
  };
  expect(readingsOf(await sortedInSlices([run], slice))).toEqual(readingsOf(sorted([run])));
  expect(slices).toBeGreaterThan(10);
});
