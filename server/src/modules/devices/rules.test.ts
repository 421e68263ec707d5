import { DeviceType } from "@telltale/contract/domains/devices";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { claimError, firstServiceEnd, rangeError } from "./rules.ts";

const day = new Date("2026-01-31T00:00:00Z");

describe("the date filters of the device list (spec 1 §5)", () => {
  test.each([
    [{}, undefined],
    [{ statTime: day, endTime: day }, undefined],
    [{ statTime: day }, "Please select end date"],
    [{ endTime: day }, "Please select start date"],
    [{ statTimeTwo: day }, "Please select end date"],
    [{ endTimeTwo: day }, "Please select start date"],
    [{ statTimeThree: day }, "Please select end date"],
    [{ endTimeThree: day }, "Please select start date"],
    [{ statTime: day, endTime: day, statTimeTwo: day, endTimeTwo: day, endTimeThree: day }, "Please select start date"],
  ])("%j: %s", (filter, validationError) => {
    expect(rangeError(filter)).toBe(validationError);
  });
});

describe("claiming", () => {
  const main = { deviceType: DeviceType.main };
  const sub = { deviceType: DeviceType.sub };

  test("a main device stands alone, a sub-device has a main device as its master", () => {
    expect(claimError(main, undefined)).toBeUndefined();
    expect(claimError(sub, main)).toBeUndefined();
    expect(claimError(main, main)).toMatch("no PARENT");
    expect(claimError(sub, undefined)).toMatch("Choose the main device");
    expect(claimError(sub, sub)).toMatch("not a sub-device");
  });

  test("a main device comes with its first year of service", () => {
    expect(firstServiceEnd(new Date("2026-03-15T10:30:00Z"))).toEqual(new Date("2027-03-15T10:30:00Z"));
    expect(firstServiceEnd(new Date("2028-02-29T10:30:00Z"))).toEqual(new Date("2029-02-28T10:30:00Z"));
  });

  test("the first year is 365 or 366 days whenever it begins", () => {
    fc.assert(
      fc.property(fc.date({ min: new Date("2000-01-01"), max: new Date("2100-01-01"), noInvalidDate: true }), (now) => {
        const days = (Number(firstServiceEnd(now)) - Number(now)) / 86_400_000;
        expect([365, 366]).toContain(days);
      }),
    );
  });
});
