import { refusalOfReading } from "@telltale/contract/domains/readings/past-readings";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Columns, shownOf, withoutKnown } from "./new-readings.rules.ts";

type Reading = readonly [time: number, value: number];

const compare = (a: Reading, b: Reading): number => a[0] - b[0] || a[1] - b[1];
const keyOf = ([time, value]: Reading): string => `${time} ${value}`;
const columnsOf = (readings: readonly Reading[]): Columns => ({
  times: Float64Array.from(readings, ([time]) => time),
  values: Float64Array.from(readings, ([, value]) => value),
  statuses: new Uint8Array(readings.length).fill(1),
});
/** Readings in order, each once; few times and values, so that they often meet. */
const run = fc
  .uniqueArray(fc.tuple(fc.nat(8), fc.integer({ min: -2, max: 2 })), { selector: keyOf })
  .map((readings) => readings.toSorted(compare));

test("exactly those readings are new that are not stored with equal time and value", () => {
  fc.assert(
    fc.property(run, run, (given, known) => {
      const stored = new Set(known.map(keyOf));
      const left = withoutKnown(columnsOf(given), columnsOf(known));
      const found = Array.from(left.times, (time, at): Reading => [time, left.values[at] ?? 0]);
      expect(found).toEqual(given.filter((reading) => !stored.has(keyOf(reading))));
      expect(left.statuses).toHaveLength(found.length);
    }),
  );
});

const now = Date.UTC(2026, 10, 27);

test.each([
  [now - 1, 1, 1, undefined],
  [now + 60_000, 1, 1, undefined],
  [now + 60_001, 1, 1, "its time is in the future"],
  [Date.UTC(2000, 0, 1) - 1, 1, 1, "its time is before 2000"],
  [now - 0.5, 1, 1, "its time has parts of a millisecond"],
  [Date.UTC(2001, 0, 1) - 1, 1, 1, "readings before 2001-01-01T00:00:00.000Z are no longer kept"],
  [now, -1e15, 1, undefined],
  [now, -1.1e15, 1, "its value is beyond 1000000000000000"],
  [now, 1, 3, "there is no such status"],
])("a reading of %d, %d with status %d: %s", (time, value, status, refusal) => {
  expect(refusalOfReading(time, value, status, { now, keptFrom: Date.UTC(2001, 0, 1) })).toBe(refusal);
});

test("a newest reading that was in alarm elsewhere is shown as good, one without data as it is", () => {
  const endingWith = (status: number): Columns => ({ ...columnsOf([[1, 1]]), statuses: Uint8Array.of(status) });
  expect([0, 1, 2].map((status) => shownOf(endingWith(status)))).toEqual([2, 0, 0]);
});
