import { orderTotal } from "@telltale/contract/domains/billing";
import { DeviceType, intervalLimit } from "@telltale/contract/domains/devices";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { orderNumber, payError, serviceEndAfter } from "./rules.ts";

const at = (text: string) => new Date(text);
const moment = fc.date({ min: at("2000-01-01"), max: at("2100-01-01"), noInvalidDate: true });
const years = fc.constantFrom(1, 2, 3);
const day = 86_400_000;

describe("when the service ends after a purchase", () => {
  test.each([
    ["2026-05-01T10:00:00Z", 1, "2026-02-01T00:00:00Z", "2027-05-01T10:00:00.000Z", "years follow what is paid for"],
    ["2026-01-31T10:00:00Z", 2, "2026-02-01T00:00:00Z", "2028-02-01T00:00:00.000Z", "or begin now"],
    ["2028-02-29T12:00:00Z", 1, "2028-01-01T00:00:00Z", "2029-02-28T12:00:00.000Z", "a leap day has no next year"],
    ["2027-02-28T12:00:00Z", 1, "2027-01-01T00:00:00Z", "2028-02-28T12:00:00.000Z", "nor does one appear"],
    ["2025-12-31T23:59:59Z", 3, "2028-02-29T23:59:59.999Z", "2031-02-28T23:59:59.999Z", "bought on a leap day"],
  ])("%s + %i years, bought %s: %s (%s)", (expire, bought, now, end) => {
    expect(serviceEndAfter(at(expire), bought, at(now))?.toISOString()).toBe(end);
  });

  test("never is never", () => {
    expect(serviceEndAfter(null, 1, at("2026-01-01"))).toBeNull();
  });

  test("is so many years after the later of now and the end before, to a day", () => {
    fc.assert(
      fc.property(moment, moment, years, (expire, now, count) => {
        const end = serviceEndAfter(expire, count, now) as Date;
        const from = new Date(Math.max(Number(expire), Number(now)));
        expect(end.getUTCFullYear()).toBe(from.getUTCFullYear() + count);
        expect(end.getUTCMonth()).toBe(from.getUTCMonth());
        expect(Number(end) % day).toBe(Number(from) % day);
        const isLeapDay = from.getUTCMonth() === 1 && from.getUTCDate() === 29;
        expect(end.getUTCDate()).toBe(isLeapDay ? 28 : from.getUTCDate());
      }),
    );
  });

  test("never comes sooner than before, and nothing paid for is lost by paying early", () => {
    fc.assert(
      fc.property(moment, moment, years, (expire, now, count) => {
        const end = Number(serviceEndAfter(expire, count, now));
        expect(end - Number(expire)).toBeGreaterThanOrEqual(count * 365 * day);
        expect(end - Number(now)).toBeGreaterThanOrEqual(count * 365 * day);
      }),
    );
  });

  test("two purchases bring as much as their years together, in either order; a leap day may get lost", () => {
    fc.assert(
      fc.property(moment, moment, years, years, (expire, now, first, second) => {
        const both = (a: number, b: number) => serviceEndAfter(serviceEndAfter(expire, a, now), b, now);
        expect(both(first, second)).toEqual(both(second, first));
        const lost = Number(serviceEndAfter(expire, first + second, now)) - Number(both(first, second));
        expect([0, day]).toContain(lost);
      }),
    );
  });
});

describe("what can be bought", () => {
  const main = {
    deviceName: "Pump",
    deviceType: DeviceType.main,
    expireTime: at("2026-01-01"),
    parentDeviceName: null,
  };

  test("for main devices only: a sub-device shares its main device's service", () => {
    expect(payError(main)).toBeUndefined();
    const sub = { ...main, deviceType: DeviceType.sub, parentDeviceName: "Pump house" };
    expect(payError(sub)).toMatch("pay for Pump house");
  });

  test("not where the service never ends", () => {
    expect(payError({ ...main, expireTime: null })).toMatch("does not end");
  });

  test("the total is the price of a year times the years, to the cent", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_000 }), years, (money, count) => {
        expect(orderTotal(money, count) / count).toBe(money);
      }),
    );
  });
});

test("a package's report interval limit holds, but for a battery unit that cannot report as often", () => {
  expect(intervalLimit(DeviceType.main, 1)).toBe(1);
  expect(intervalLimit(DeviceType.main, 60)).toBe(60);
  expect(intervalLimit(DeviceType.sub, 1)).toBe(10);
  expect(intervalLimit(DeviceType.sub, 60)).toBe(60);
});

test("an order's number says its day", () => {
  expect(orderNumber(at("2026-03-09T23:59:59Z"), Uint8Array.of(1, 171, 0, 255))).toBe("20260309-01AB00FF");
});
