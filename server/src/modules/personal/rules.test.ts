import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { reordered, withAdded } from "./rules.ts";

test("new entries come last, without duplicates", () => {
  expect(withAdded([3, 1], [1, 2, 2])).toEqual([3, 1, 2]);
});

describe("another order", () => {
  test.each([
    [
      [1, 2, 3],
      [1, 2, 3],
      [3, 1, 2],
      [3, 1, 2],
    ],
    [
      [1, 9, 2, 3],
      [1, 2, 3],
      [3, 2, 1],
      [3, 9, 2, 1],
    ],
    [[1, 2], [1, 2], [1], undefined],
    [[1, 2], [1, 2], [1, 2, 3], undefined],
    [[1, 2], [1, 2], [1, 1], undefined],
  ])("of %j, of which %j are seen, by %j is %j", (list, seen, wanted, expected) =>
    expect(reordered(list, seen, wanted)).toEqual(expected),
  );

  test("keeps everything, and what is not seen in its place", () => {
    const lists = fc.uniqueArray(fc.nat(), { minLength: 1 });
    fc.assert(
      fc.property(lists, fc.func(fc.boolean()), (list, isSeen) => {
        const seen = list.filter((id) => isSeen(id));
        const result = reordered(list, seen, seen.toReversed());
        expect(result?.toSorted()).toEqual(list.toSorted());
        list.forEach((id, at) => {
          if (!isSeen(id)) expect(result?.[at]).toBe(id);
        });
      }),
    );
  });
});
