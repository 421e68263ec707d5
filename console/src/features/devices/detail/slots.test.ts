import { expect, test } from "vitest";
import { movedBy, offsetShowing, slotsAt } from "./period-slots.tsx";

const newestFirst = ["NOW", "c", "b", "a"];

test("three periods are visible, the oldest at the left", () => {
  expect(slotsAt(newestFirst, 0)).toEqual(["b", "c", "NOW"]);
  expect(slotsAt(newestFirst, 1)).toEqual(["a", "b", "c"]);
  expect(slotsAt(["NOW"], 0)).toEqual(["NOW"]);
});

test("the arrows stop at both ends", () => {
  expect(movedBy(0, 1, 4)).toBe(1);
  expect(movedBy(1, 1, 4)).toBe(1);
  expect(movedBy(0, -1, 4)).toBe(0);
  expect(movedBy(0, 1, 2)).toBe(0);
});

test("a period selected by keyboard scrolls into view", () => {
  expect(offsetShowing(3, 0)).toBe(1);
  expect(offsetShowing(0, 1)).toBe(0);
  expect(offsetShowing(2, 1)).toBe(1);
});
