import { DeviceStatus } from "@telltale/contract/domains/devices";
import { describe, expect, test } from "vitest";
import { deviceStatus } from "./device-status.ts";

const now = new Date("2026-05-01T12:00:00Z");
const later = new Date(now.getTime() + 1);
const device = { isDisabled: false, lastSeenTime: now, expireTime: later, isOnline: true };

describe("a device's status is the first that applies (decisions §1)", () => {
  test.each([
    ["heard, paid, online", device, false, DeviceStatus.normal],
    ["with an open alert", device, true, DeviceStatus.alert],
    ["without an end of service", { ...device, expireTime: null }, false, DeviceStatus.normal],
    ["offline, whatever alert is open", { ...device, isOnline: false }, true, DeviceStatus.offline],
    [
      "expired this very millisecond, even offline",
      { ...device, expireTime: now, isOnline: false },
      true,
      DeviceStatus.paymentDue,
    ],
    ["never heard of, even expired", { ...device, lastSeenTime: null, expireTime: now }, true, DeviceStatus.inactive],
    ["disabled, even expired", { ...device, isDisabled: true, expireTime: now }, true, DeviceStatus.inactive],
  ])("%s", (_, inputs, hasOpenAlert, status) => {
    expect(deviceStatus(inputs, now, hasOpenAlert)).toBe(status);
  });
});
