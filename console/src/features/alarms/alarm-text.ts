import { type AlarmChannel, type AlarmRow, thresholdTypes } from "@telltale/contract/domains/alarms";
import { AlertClass } from "@telltale/contract/domains/alerts";
import { isSwitch } from "../../domain/value.ts";

/** Labels of the alert classes. (spec 2 §2, §6) */
export const classLabels: Readonly<Record<number, string>> = {
  [AlertClass.custom]: "Custom alert",
  [AlertClass.threshold]: "Threshold alert",
  [AlertClass.notification]: "Notification",
};

/** One sentence per class about what it does. */
export const classMeanings: Readonly<Record<number, string>> = {
  [AlertClass.custom]: "Watches a channel of the device by a value of its own",
  [AlertClass.threshold]: "Notifies about the device's own limits: Lower and Higher Alarm, contacts and counts",
  [AlertClass.notification]: "Notifies about events of the device: offline, low battery, payment due",
};

/** Labels of the threshold types. */
export const typeLabels: Readonly<Record<number, string>> = thresholdTypes;

const withUnit = (text: string, unit: string): string => (unit === "" ? text : `${text} ${unit}`);

/** A limit as it was entered, with its unit. */
export const limitText = (value: number | null, { unit }: Pick<AlarmRow, "unit">): string =>
  value === null ? "" : withUnit(String(value), unit);

type Ranged = Pick<AlarmChannel, "zero" | "span" | "isDiscrete" | "unit" | "channelAnalogId">;

/** The value range of a channel: `0 to 16 bar`; empty when it has no bounds. */
export const rangeText = ({ zero, span, unit, isDiscrete, channelAnalogId }: Ranged): string => {
  if (isDiscrete && span !== null) return isSwitch(channelAnalogId) ? "0 (OFF) or 1 (ON)" : "0 or 1";
  if (zero !== null && span !== null) return withUnit(`${zero} to ${span}`, unit);
  if (zero !== null) return `${withUnit(String(zero), unit)} or more`;
  return span === null ? "" : `${withUnit(String(span), unit)} or less`;
};
