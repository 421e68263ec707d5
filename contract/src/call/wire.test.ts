import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { momentOrDay } from "./moment-or-day.ts";
import { numbersUpTo } from "./numbers.ts";
import * as wire from "./wire.ts";

/** Asserts that every value survives encoding and decoding. */
const survives = <T>(schema: z.ZodType<T, unknown>, values: fc.Arbitrary<T>) =>
  fc.assert(
    fc.property(values, (value) => {
      expect(z.decode(schema, z.encode(schema, value))).toEqual(value);
    }),
  );

/** Dates that ISO 8601 can express with a four-digit year. */
const moment = fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true });
const whole = fc.integer({ min: -2_147_483_647, max: 2_147_483_647 });
const decimal = fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0));

describe("encoding and decoding again gives the same value", () => {
  test("whole numbers", () => survives(wire.int(), whole));
  test("whole numbers of a range", () => survives(wire.intBetween(1, 200), fc.integer({ min: 1, max: 200 })));
  test("decimal numbers", () => survives(wire.decimal(), decimal));
  test("lists", () => survives(wire.list(wire.int()), fc.array(whole, { maxLength: 50 })));
  test("comma lists", () => survives(wire.commaList(wire.int()), fc.array(whole)));
  test("moments of an answer", () => survives(wire.time(), moment));
  test("starts and ends of ranges", () => {
    survives(wire.rangeStart(), moment);
    survives(wire.rangeEnd(), moment);
  });
  test("text", () =>
    survives(
      wire.text(),
      fc.string({ maxLength: 200 }).map((text) => text.trim()),
    ));
});

/** The validation message for field `size` with this text. */
const refused = (schema: z.ZodType, text: unknown) =>
  z.safeDecode(z.object({ size: schema }), { size: text } as never).error?.issues[0]?.message;

describe("an invalid value is refused with a message that names the field", () => {
  test.each([
    "",
    " ",
    "1.5",
    "1e400",
    "NaN",
    "Infinity",
    "0x",
    "--1",
    "one",
    "99999999999999999999",
    undefined,
    null,
    ["1"],
    {},
  ])("whole number %j", (text) => expect(refused(wire.int("Enter the number"), text)).toBe("Enter the number"));
  test.each(["0", "201", "-1"])("range 1 to 200: %s", (text) =>
    expect(refused(wire.intBetween(1, 200), text)).toBe("Rows per page has to be a whole number from 1 to 200"),
  );
  test.each([
    "yesterday",
    "2026-13-01",
    "2026-02-30T00:00:00Z",
    "2026-02-30",
    "2026-01-01T25:00",
    "",
    "0",
    "2026",
    "9".repeat(40),
  ])("moment %j", (text) =>
    expect(refused(wire.rangeStart(), text)).toBe(
      "Rows per page has to be a date as 2026-01-31 or 2026-01-31T08:00:00Z",
    ),
  );
  test("a field left out", () => expect(refused(wire.int(), undefined)).toBe("Rows per page is missing"));
  test("a text too long", () => expect(refused(wire.text(5), "123456")).toBe("Rows per page has at most 5 characters"));
  test("too many values", () =>
    expect(refused(wire.list(wire.text()), Array(1001).fill("1"))).toBe("Rows per page has at most 1,000 values"));
});

test("a date covers its first to its last millisecond", () => {
  expect(z.decode(wire.rangeStart(), "2026-01-31")).toEqual(new Date("2026-01-31T00:00:00.000Z"));
  expect(z.decode(wire.rangeEnd(), "2026-01-31")).toEqual(new Date("2026-01-31T23:59:59.999Z"));
});

test("a time without a zone is UTC; a zone is honoured", () => {
  expect(z.decode(wire.rangeStart(), "2026-01-31 08:00")).toEqual(new Date("2026-01-31T08:00:00.000Z"));
  expect(z.decode(wire.rangeEnd(), "2026-01-31T08:00:00+02:00")).toEqual(new Date("2026-01-31T06:00:00.000Z"));
});

test("an end of a range of local days is a moment, or a day that stays a text", () => {
  const end = momentOrDay();
  expect(z.decode(end, " 2026-01-31 ")).toBe("2026-01-31");
  expect(z.decode(end, "2026-01-31 08:00")).toEqual(new Date("2026-01-31T08:00:00.000Z"));
  for (const given of ["2026-01-31", new Date("2026-01-31T08:00:00.000Z")])
    expect(z.decode(end, z.encode(end, given))).toEqual(given);
  for (const text of ["2026", "2026-02-30", "2026-01-31T25:00", "yesterday", ""])
    expect(refused(end, text)).toBe("Rows per page has to be a date as 2026-01-31 or 2026-01-31T08:00:00Z");
  expect(refused(end, undefined)).toBe("Rows per page is missing");
});

test("one value and several make a list", () => {
  expect(z.decode(wire.list(wire.int()), "7")).toEqual([7]);
  expect(z.decode(wire.list(wire.int()), ["7", "8"])).toEqual([7, 8]);
});

test("of a list that may be empty, blank and absent mean none", () => {
  const fields = z.object({ ids: wire.listOrNone(wire.int()) });
  for (const given of [{}, { ids: "" }, { ids: [] }, { ids: ["", " "] }])
    expect(z.decode(fields, given)).toEqual({ ids: [] });
  expect(z.decode(fields, { ids: ["7", "8"] })).toEqual({ ids: [7, 8] });
  expect(z.safeDecode(fields, { ids: "seven" }).success).toBe(false);
});

test("money is text with two decimals on the wire and integer cents in code", () => {
  for (const [text, cents] of [
    ["0.00", 0],
    ["0.07", 7],
    ["48.00", 4800],
    ["1234567.89", 123_456_789],
  ] as const) {
    expect(z.decode(wire.money(), text)).toBe(cents);
    expect(z.encode(wire.money(), cents)).toBe(text);
  }
  for (const text of ["48", "48.0", "48,00", "-1.00", "1e3", ""])
    expect(z.safeDecode(wire.money(), text).success).toBe(false);
  expect(() => z.encode(wire.money(), 0.5)).toThrow();
});

test("numbers of a request come back, and no more are expanded than it may have", () => {
  const few = numbersUpTo(4);
  for (const numbers of [[], [1_767_323_045_000, 1_767_323_046_250], [0.1, -3, 1e15, Math.PI]])
    expect(z.decode(few, z.encode(few, numbers))).toEqual(numbers);
  const many = z.encode(numbersUpTo(1e9), Array(1e6).fill(7));
  expect(many.length).toBeLessThan(20);
  expect(z.safeDecode(few, many).error?.issues[0]?.message).toContain("at most 4 numbers");
  for (const text of ["=1,2,3,4,5", "01!", "=1,,2", "=NaN", "=Infinity"])
    expect(z.safeDecode(few, text).success).toBe(false);
});
