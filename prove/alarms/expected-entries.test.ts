import { expect, test } from "vitest";
import { expectedEntries } from "./expected-entries.ts";
import { beyond, usual } from "./watch.ts";

const delayed = { code: "AI1", name: "", onDelay: 3, offDelay: 2, times: 1, window: 0 };
const often = { ...delayed, onDelay: 1, offDelay: 0, times: 3, window: 20 };
/** Readings of a value that is beyond in these stretches. */
const readings = (...stretches: [from: number, to: number][]) =>
  stretches.flatMap(([from, to]) => [
    { ts: from, values: { AI1: beyond } },
    { ts: to, values: { AI1: usual } },
  ]);
const spans = (watch: typeof delayed, ...stretches: [number, number][]) =>
  expectedEntries(watch, readings(...stretches)).map(({ raised, cleared }) => [raised, cleared]);

test("an entry begins after the delay and ends after the other; what is shorter, or comes back sooner, makes none", () => {
  expect(spans(delayed, [10, 12], [20, 30], [31, 40], [50, 53])).toEqual([
    [23, 42],
    [53, 55],
  ]);
});

test("so many occurrences within the window make an entry, and count only once", () => {
  expect(spans(often, [10, 12], [15, 17], [20, 22], [25, 27])).toEqual([[21, 22]]);
  expect(spans(often, [10, 12], [15, 17], [40, 42])).toEqual([]);
});
