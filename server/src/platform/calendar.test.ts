import fc from "fast-check";
import { expect, test } from "vitest";
import { yearsAfter } from "./calendar.ts";

const times = fc.integer({ min: Date.parse("2015-01-01"), max: Date.parse("2095-12-31") }).map((ts) => new Date(ts));
const monthDay = (time: Date): string => time.toISOString().slice(5);

test("a year later it is the same day and time; only the leap day becomes the day before", () => {
  fc.assert(
    fc.property(times, fc.integer({ min: 1, max: 10 }), (time, years) => {
      const later = yearsAfter(time, years);
      expect(later.getUTCFullYear()).toBe(time.getUTCFullYear() + years);
      const isLeapDay = monthDay(time).startsWith("02-29");
      const expected =
        isLeapDay && later.getUTCDate() !== 29 ? monthDay(time).replace("02-29", "02-28") : monthDay(time);
      expect(monthDay(later)).toBe(expected);
    }),
  );
});

test("service that is bought on a leap day ends on 28 February, and after four years on the leap day", () => {
  const leapDay = new Date("2028-02-29T13:30:00.500Z");
  expect(yearsAfter(leapDay, 1).toISOString()).toBe("2029-02-28T13:30:00.500Z");
  expect(yearsAfter(leapDay, 4).toISOString()).toBe("2032-02-29T13:30:00.500Z");
  expect(yearsAfter(new Date("2027-02-28T23:59:59.999Z"), 1).toISOString()).toBe("2028-02-28T23:59:59.999Z");
});
