import { expect, test } from "vitest";
import { createRowTimes, parseTime } from "./row-times.ts";

test.each([
  ["2013-07-04 00:00:00", Date.UTC(2013, 6, 4)],
  ["2013-07-04T06:30:00.250Z", Date.UTC(2013, 6, 4, 6, 30, 0, 250)],
  ["2013-07-04T06:30:00+02:00", Date.UTC(2013, 6, 4, 4, 30)],
  ["2013-07-04", Date.UTC(2013, 6, 4)],
  ["1372896000", Date.UTC(2013, 6, 4)],
  ["1372896000123", Date.UTC(2013, 6, 4, 0, 0, 0, 123)],
  ["04.07.2013 06:30:00", Date.UTC(2013, 6, 4, 6, 30)],
  ["4.7.2013", Date.UTC(2013, 6, 4)],
  ["2013-07-04 06:30:00,250", Date.UTC(2013, 6, 4, 6, 30, 0, 250)],
  ["1372896000,5", Date.UTC(2013, 6, 4, 0, 0, 0, 500)],
  ["yesterday", Number.NaN],
  ["", Number.NaN],
])("%s", (text, expected) => expect(parseTime(text)).toBe(expected));

test("a recording without a clock gets one", () => {
  const timeOf = createRowTimes({ column: undefined, start: 1000, step: 500 });
  expect([[], [], []].map(timeOf)).toEqual([1000, 1500, 2000]);
});

test("a recording with a clock can be moved", () => {
  const rows = [["1372896000"], ["broken"], ["1372896060"]];
  const timeOf = createRowTimes({ column: 0, start: 5000, step: 0 });
  expect(rows.map(timeOf)).toEqual([5000, Number.NaN, 65_000]);
});
