import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { moved, placeByKey } from "./use-arrangement.ts";

describe("moving an item", () => {
  test.each([
    [0, 2, ["b", "c", "a", "d"]],
    [3, 0, ["d", "a", "b", "c"]],
    [1, 9, ["a", "c", "d", "b"]],
    [2, -4, ["c", "a", "b", "d"]],
  ])("from %i to %i", (from, to, expected) => expect(moved(["a", "b", "c", "d"], from, to)).toEqual(expected));

  test("puts it in its new place and keeps the order of the others", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer(), { minLength: 1 }), fc.nat(), fc.nat(), (list, a, b) => {
        const [from, to] = [a % list.length, b % list.length];
        const result = moved(list, from, to);
        expect(result[to]).toBe(list[from]);
        expect(result.filter((each) => each !== list[from])).toEqual(list.filter((each) => each !== list[from]));
      }),
    );
  });
});

test.each([
  ["ArrowRight", 5, 6],
  ["ArrowLeft", 0, 0],
  ["ArrowDown", 1, 5],
  ["ArrowDown", 8, 9],
  ["ArrowUp", 5, 1],
  ["Home", 7, 0],
  ["End", 2, 9],
  ["Tab", 2, undefined],
])("%s moves a tile from place %i to %s in a grid of four columns", (key, place, expected) => {
  expect(placeByKey(key, place, { columns: 4, count: 10 })).toBe(expected);
});
