import { type AlarmChannel, type AlarmRow, thresholdTypes } from "@telltale/contract/domains/alarms";
import { AlarmCondition, alarmConditionLabels } from "@telltale/contract/domains/alerting/conditions";
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

/** One sentence per condition about when it raises the alert. */
export const conditionMeanings: Readonly<Record<AlarmCondition, string>> = {
  [AlarmCondition.limit]: "The value is above or below a limit.",
  [AlarmCondition.rate]: "The value rises or falls too fast.",
  [AlarmCondition.noChange]: "Readings arrive and stay the same: the sensor may be stuck.",
  [AlarmCondition.noData]: "Nothing arrives from this channel, while the device itself is online.",
  [AlarmCondition.fault]:
    "The reading is beyond the sensor's range, as with a broken wire. Limits of the channel leave such readings to this alert.",
};

/** Labels of the threshold types. */
export const typeLabels: Readonly<Record<number, string>> = thresholdTypes;

const withUnit = (text: string, unit: string): string => (unit === "" ? text : `${text} ${unit}`);

/** A limit as it was entered, with its unit; of a rate, in a minute. */
export const limitText = (value: number | null, { unit, condition }: Pick<AlarmRow, "unit" | "condition">): string =>
  value === null ? "" : withUnit(String(value), condition === AlarmCondition.rate ? `${unit}/min` : unit);

/** What an alert is about, in one or two words: High and Low, where it has a threshold type. */
export const typeText = ({ type, condition }: Pick<AlarmRow, "type" | "condition">): string => {
  if (type === null) return alarmConditionLabels[condition];
  return condition === AlarmCondition.rate ? `${typeLabels[type]} rate` : (typeLabels[type] ?? "");
};

type Ranged = Pick<AlarmChannel, "zero" | "span" | "isDiscrete" | "unit" | "channelAnalogId">;

/** The value range of a channel: `0 to 16 bar`; empty when it has no bounds. */
export const rangeText = ({ zero, span, unit, isDiscrete, channelAnalogId }: Ranged): string => {
  if (isDiscrete && span !== null) return isSwitch(channelAnalogId) ? "0 (OFF) or 1 (ON)" : "0 or 1";
  if (zero !== null && span !== null) return withUnit(`${zero} to ${span}`, unit);
  if (zero !== null) return `${withUnit(String(zero), unit)} or more`;
  return span === null ? "" : `${withUnit(String(span), unit)} or less`;
};
