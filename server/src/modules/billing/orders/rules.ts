import { DeviceType } from "@telltale/contract/domains/devices";
import { yearsAfter } from "../../../platform/calendar.ts";

/** Kinds of orders, as stored in `orders.kind`. */
export const OrderKind = { service: 1, sms: 2 } as const;

/** A device as needed for a purchase of services. */
export interface PayableDevice {
  deviceName: string;
  deviceType: number;
  /** End of its service; null when it does not end. */
  expireTime: Date | null;
  parentDeviceName: string | null;
}

/** Why services cannot be bought for a device; undefined when they can. (decision 11) */
export const payError = ({ deviceType, expireTime, parentDeviceName }: PayableDevice): string | undefined => {
  if (deviceType === DeviceType.sub)
    return `A sub-device shares the service of its main device: pay for ${parentDeviceName ?? "that one"}`;
  return expireTime === null ? "The service of this device does not end: there is nothing to pay" : undefined;
};

/** End of the service after more paid years, which follow the current end or start now if it has passed. */
export const serviceEndAfter = (expireTime: Date | null, years: number, now: Date): Date | null =>
  expireTime && yearsAfter(expireTime > now ? expireTime : now, years);

/** Order number: the date, readable for people, and eight random characters. */
export const orderNumber = (now: Date, random: Uint8Array): string => {
  const day = now.toISOString().slice(0, 10).replaceAll("-", "");
  const rest = Array.from(random.subarray(0, 4), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${day}-${rest.toUpperCase()}`;
};

/** One-line description of an order for the payment provider: 'Second Reporting for N year' of a device, or SMS. (spec 2 §9) */
export const saleText = (order: {
  report_interval_limit: number | null;
  years: number | null;
  device_sn_id: string;
  sms_num: number | null;
}): string =>
  order.sms_num === null
    ? `${order.report_interval_limit} Second Reporting for ${order.years} year, device ${order.device_sn_id}`
    : `${order.sms_num} SMS`;
