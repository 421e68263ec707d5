import { type AlertRow, AlertType, alertTypeLabels } from "@telltale/contract/domains/alerts";
import { withDecimals } from "../../../domain/value.ts";

/** The subject of an alert: its channel, or the device when it concerns the whole device. */
export const nameOf = (alert: AlertRow): string => alert.channelName ?? alert.deviceName;

const withUnit = (value: number, unit: string): string => `${withDecimals(value, 2)}${unit === "" ? "" : ` ${unit}`}`;

/** The line of an alert window: type, value or message, and the threshold if there is one. Two decimals. (spec 1 §9) */
export interface AlertLine {
  type: string;
  text: string;
  threshold: string | undefined;
}

export const alertLine = (alert: AlertRow): AlertLine => {
  const type = alertTypeLabels[alert.alarmType];
  if (alert.value === null || alert.alarmType === AlertType.system)
    return { type, text: alert.msg, threshold: undefined };
  return {
    type,
    text: withUnit(alert.value, alert.valueUnit),
    threshold: alert.threshold === null ? undefined : withUnit(alert.threshold, alert.valueUnit),
  };
};
