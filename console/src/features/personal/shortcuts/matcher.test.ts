import { conflicting, keyName, standardShortcuts } from "@telltale/contract/domains/people/personal";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMatcher, sequenceTimeout } from "./matcher.ts";

const shortcuts = [{ keys: "?" }, { keys: "g d" }, { keys: "g a" }, { keys: "r" }];

const pressed = (keys: readonly (string | [key: string, wait: number])[]): string[] => {
  const matcher = createMatcher<{ keys: string }>();
  let now = 0;
  return keys.flatMap((each) => {
    const [key, wait] = typeof each === "string" ? [each, 100] : each;
    now += wait;
    return matcher.press(key, now, shortcuts).found?.keys ?? [];
  });
};

describe("key sequences", () => {
  test.each([
    [["g", "d"], ["g d"]],
    [["G", "D"], ["g d"]],
    [["d"], []],
    [["g", "x", "d"], []],
    [["g", "r"], ["r"]],
    [["g", "g", "a"], ["g a"]],
    [["g", ["d", sequenceTimeout + 1]], []],
    [["g", "Shift", "d"], ["g d"]],
    [["g", "Escape", "d"], []],
    [["?"], ["?"]],
    [
      ["r", "r"],
      ["r", "r"],
    ],
  ])("%j open %j", (keys, found) => expect(pressed(keys as string[])).toEqual(found));

  test("trigger each built-in shortcut, whatever was pressed long before", () => {
    const keys = standardShortcuts.map((shortcut) => shortcut.keys);
    fc.assert(
      fc.property(fc.array(fc.constantFrom("g", "x", "?", "Tab")), fc.constantFrom(...keys), (before, wanted) => {
        const matcher = createMatcher<{ keys: string }>();
        for (const key of before) matcher.press(key, 0, standardShortcuts);
        const all = wanted.split(" ").map((key) => matcher.press(key, sequenceTimeout * 2, standardShortcuts));
        expect(all.at(-1)?.found?.keys).toBe(wanted);
      }),
    );
  });
});

test("no built-in shortcut is a prefix of another", () => {
  for (const shortcut of standardShortcuts) {
    const others = standardShortcuts.filter((other) => other !== shortcut);
    expect(conflicting(shortcut.keys, others)).toBeUndefined();
  }
});

test.each([
  ["a", "a"],
  ["A", "a"],
  ["?", "?"],
  ["é", "é"],
  [" ", undefined],
  ["Enter", undefined],
  ["Dead", undefined],
])("the key %j is named %j", (key, name) => expect(keyName(key)).toBe(name));
