import { DeviceType } from "@telltale/contract/domains/devices";
import { yearsAfter } from "../../../platform/calendar.ts";

/** What an order is for, as `orders.kind` keeps it. */
export const OrderKind = { service: 1, sms: 2 } as const;

/** A device as a buyer of services looks at it. */
export interface PayableDevice {
  deviceName: string;
  deviceType: number;
  /** When its service ends; null when it never does. */
  expireTime: Date | null;
  parentDeviceName: string | null;
}

/** Why services cannot be bought for a device; undefined when they can. (decision 11) */
export const payError = ({ deviceType, expireTime, parentDeviceName }: PayableDevice): string | undefined => {
  if (deviceType === DeviceType.sub)
    return `A sub-device shares the service of its main device: pay for ${parentDeviceName ?? "that one"}`;
  return expireTime === null ? "The service of this device does not end: there is nothing to pay" : undefined;
};

/** When the service ends after so many more years: they follow what is paid for already, and begin now where nothing is left. */
export const serviceEndAfter = (expireTime: Date | null, years: number, now: Date): Date | null =>
  expireTime && yearsAfter(expireTime > now ? expireTime : now, years);

/** The number of an order: its day, so that people find it, and eight characters that tell it from all others. */
export const orderNumber = (now: Date, random: Uint8Array): string => {
  const day = now.toISOString().slice(0, 10).replaceAll("-", "");
  const rest = Array.from(random.subarray(0, 4), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${day}-${rest.toUpperCase()}`;
};

/** What an order is for, in one line that a payment provider shows: 'Second Reporting for N year' of a device, or SMS. (spec 2 §9) */
export const saleText = (order: {
  report_interval_limit: number | null;
  years: number | null;
  device_sn_id: string;
  sms_num: number | null;
}): string =>
  order.sms_num === null
    ? `${order.report_interval_limit} Second Reporting for ${order.years} year, device ${order.device_sn_id}`
    : `${order.sms_num} SMS`;
