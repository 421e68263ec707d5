import { expect, test } from "vitest";
import { firstWhere } from "./first-where.ts";

test("the first place is found in few steps, and the list's length where there is none", () => {
  const list = Array.from({ length: 4096 }, (_, at) => at * 10);
  for (const wanted of [-5, 0, 1, 20_000, 20_001, 40_950, 40_951]) {
    let asked = 0;
    const found = firstWhere(list, (each) => {
      asked += 1;
      return each >= wanted;
    });
    const first = list.findIndex((each) => each >= wanted);
    expect(found).toBe(first === -1 ? list.length : first);
    expect(asked).toBeLessThanOrEqual(13);
  }
  expect(firstWhere([], () => true)).toBe(0);
});
