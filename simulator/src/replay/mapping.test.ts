import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseMapping, readCell, readRow } from "./mapping.ts";

describe("parsing a mapping", () => {
  test.each([
    ["CURRENT=AI1", { column: "CURRENT", channel: "AI1", scale: 1, offset: 0 }],
    ["CURRENT=I A*0.01", { column: "CURRENT", channel: "I A", scale: 0.01, offset: 0 }],
    ["value=AI1*0.5556-17.78", { column: "value", channel: "AI1", scale: 0.5556, offset: -17.78 }],
    ["Speed (rpm)=AI2*1e-3", { column: "Speed (rpm)", channel: "AI2", scale: 0.001, offset: 0 }],
    ["a-b=T-1", { column: "a-b", channel: "T-1", scale: 1, offset: 0 }],
  ])("%s", (text, expected) => expect(parseMapping(text)).toEqual(expected));

  test.each(["", "CURRENT", "=AI1", "CURRENT=", "CURRENT=AI1*", "CURRENT=AI1*x", "CURRENT=AI1*1.2.3"])(
    "not %s",
    (text) => expect(() => parseMapping(text)).toThrow("COLUMN=CHANNEL"),
  );
});

const plain = parseMapping("x=AI1");

test.each([
  ["", "empty"],
  ["  ", "empty"],
  [undefined, "empty"],
  ["n/a", "not a number"],
  ["NaN", "not a number"],
  ["Infinity", "not a number"],
  [" 12.5 ", { value: 12.5 }],
  ["-1e3", { value: -1000 }],
  ["12,5", { value: 12.5 }],
  ["-0,25e2", { value: -25 }],
  [",5", { value: 0.5 }],
  ["1.234,5", "not a number"],
  ["1,2,3", "not a number"],
])("the cell %j", (text, expected) => expect(readCell(text, plain)).toEqual(expected));

test("raw integers are scaled without binary noise", () => {
  const mapping = parseMapping("x=AI1*0.01");
  fc.assert(
    fc.property(fc.integer({ min: -65_536, max: 65_536 }), (raw) => {
      const cell = readCell(String(raw), mapping);
      expect(typeof cell === "object" && String(cell.value)).toMatch(/^-?\d+(\.\d{1,2})?$/);
    }),
  );
});

test("a row without a number gives no sample, and skipped cells are counted", () => {
  const mappings = [plain, parseMapping('y="odd"')];
  expect(readRow(["", "x"], mappings, [0, 1], 5)).toEqual({ moment: undefined, readings: 0, empty: 1, notNumbers: 1 });
  const { moment } = readRow(["1", "2"], mappings, [0, 1], 5);
  expect(JSON.parse(moment ?? "")).toEqual({ ts: 5, values: { AI1: 1, '"odd"': 2 } });
});
