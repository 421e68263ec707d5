import { describe, expect, test } from "vitest";
import { askedWord, matching, partsOf, queryOf } from "./matching.ts";

const marked = (text: string, typed: string) =>
  partsOf(text, queryOf(typed))
    .map(({ text: part, isMatch }) => (isMatch ? `[${part}]` : part))
    .join("");

describe("what was typed", () => {
  test.each([
    ["pump 2", undefined, ["pump", "2"]],
    ["  Pump   2 ", undefined, ["pump", "2"]],
    [">dark", "actions", ["dark"]],
    ["! high", "alerts", ["high"]],
    [">", "actions", []],
    ["", undefined, []],
  ])("%j", (typed, kind, words) => expect(queryOf(typed)).toMatchObject({ kind, words }));

  test("the server is asked by the longest word", () => expect(askedWord(queryOf("a pump 2"))).toBe("pump"));
});

describe("what is found", () => {
  const items = [
    { name: "Wet well level", note: "Pump house 2" },
    { name: "Shaft speed, pump 1", note: "Pump house 1" },
    { name: "Speed of 2nd pump", note: "Weather mast" },
    { name: "Shaft speed, pump 2", note: "Pump house 2" },
    { name: "Pump 2 feedback", note: "Pump house 2" },
  ];

  test("has every word, in its name or beside it, the best match first", () =>
    expect(matching(queryOf("pump 2"), items).map(({ name }) => name)).toEqual([
      "Pump 2 feedback",
      "Shaft speed, pump 2",
      "Speed of 2nd pump",
      "Wet well level",
    ]));

  test("is everything when nothing was typed, in the given order", () =>
    expect(matching(queryOf(""), items)).toEqual(items));
});

test.each([
  ["Bearing temperature, Pump 2", "pump 2", "Bearing temperature, [Pump 2]"],
  ["Pump house 2", "pump 2", "[Pump] house [2]"],
  ["Pressure (bar)", "(bar", "Pressure [(bar])"],
  ["Pressure", "", "Pressure"],
  ["Level", "pump", "Level"],
])("in %j what was typed, %j, is marked", (text, typed, expected) => expect(marked(text, typed)).toBe(expected));
