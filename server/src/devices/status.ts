import { DeviceStatus } from "@telltale/contract/devices";

/** What a device's status is judged by. `isOnline` is kept by the gateway and the offline watch. */
export interface JudgedDevice {
  isDisabled: boolean;
  lastSeenTime: Date | null;
  /** When the paid service ends; null when it never does. */
  expireTime: Date | null;
  isOnline: boolean;
}

/** A device's status, the first that applies; `statusOf` in status-queries says the same in SQL. (decisions §1) */
export const deviceStatus = (device: JudgedDevice, now: Date, hasOpenAlert: boolean): DeviceStatus => {
  if (device.isDisabled || device.lastSeenTime === null) return DeviceStatus.inactive;
  if (device.expireTime !== null && device.expireTime <= now) return DeviceStatus.paymentDue;
  if (!device.isOnline) return DeviceStatus.offline;
  return hasOpenAlert ? DeviceStatus.alert : DeviceStatus.normal;
};
