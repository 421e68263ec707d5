import { LabelSheet } from "@telltale/contract/domains/fleet/labels";
import { describe, expect, test } from "vitest";
import { labelsOf, linesOf, placeOf } from "./layout.rules.ts";

/** A4 in points. */
const [wide, high] = [595.28, 841.89];

test.each(Object.values(LabelSheet))("the labels of sheet %i are on the paper and do not overlap", (sheet) => {
  const places = Array.from({ length: labelsOf(sheet) }, (_, at) => placeOf(sheet, at));
  for (const [at, { x, y, width, height }] of places.entries()) {
    expect(x).toBeGreaterThan(0);
    expect(x + width).toBeLessThan(wide);
    expect(y + height).toBeLessThan(high);
    for (const other of places.slice(at + 1))
      expect(x + width <= other.x + 0.01 || other.x + other.width <= x + 0.01 || y + height <= other.y + 0.01).toBe(
        true,
      );
  }
  expect(placeOf(sheet, labelsOf(sheet))).toEqual({ ...places[0], sheet: 1 });
});

describe("a text on a label", () => {
  test.each([
    ["Pump house", 12, 2, ["Pump house"]],
    ["Boiler 2, flow temperature", 12, 2, ["Boiler 2,", "flow temper…"]],
    ["x".repeat(20), 8, 2, ["xxxxxxxx", "xxxxxxx…"]],
    ["x".repeat(16), 8, 2, ["xxxxxxxx", "xxxxxxxx"]],
    ["😀😀😀", 2, 1, ["😀…"]],
    ["", 8, 2, []],
    ["  a \n b ", 8, 2, ["a b"]],
  ])("%j in lines of %i is %j", (text, most, lines, expected) => {
    expect(linesOf(text, most, lines)).toEqual(expected);
  });
});
