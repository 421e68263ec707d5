import { AlertClass, type AlertRow, AlertType, alertTypeLabels } from "@telltale/contract/domains/alerts";
import { withDecimals } from "../../ui/format/decimals.ts";

type Named = Pick<AlertRow, "alarmClass" | "alarmName" | "channelName" | "deviceName">;

/** Whether a rule of a channel gave the alert its name. Those of a device's limits name the device's recipients, not what is wrong. */
const isNamedByRule = ({ alarmClass, alarmName }: Named): boolean =>
  alarmClass === AlertClass.custom && alarmName !== "";

/** The subject of an alert: its rule, its channel, or the device when it concerns the whole device. */
export const alertName = (alert: Named): string =>
  isNamedByRule(alert) ? alert.alarmName : (alert.channelName ?? alert.deviceName);

/** The alert's channel where its name does not say it; undefined where it does. */
export const channelBeside = (alert: Named): string | undefined =>
  isNamedByRule(alert) && alert.channelName !== alert.alarmName ? (alert.channelName ?? undefined) : undefined;

/** The two types whose value is a level: ON or OFF. */
const levels: readonly AlertType[] = [AlertType.digitalInput, AlertType.digitalOutput];

/** A value of an alert with its unit: 2 decimals; ON or OFF for a contact. (spec 1 §9) */
export const alertValue = (
  value: number,
  { valueUnit, alarmType }: Pick<AlertRow, "valueUnit" | "alarmType">,
): string => {
  if (levels.includes(alarmType)) return value > 0 ? "ON" : "OFF";
  return valueUnit === "" ? withDecimals(value, 2) : `${withDecimals(value, 2)} ${valueUnit}`;
};

/** An alert in one line: type, value or message, and the threshold if there is one; a contact has none beside its level. */
export interface AlertLine {
  type: string;
  text: string;
  threshold: string | undefined;
}

/** The line of an alert. (spec 1 §9) */
export const alertLine = (alert: AlertRow): AlertLine => {
  const type = alertTypeLabels[alert.alarmType];
  if (alert.value === null || alert.alarmType === AlertType.system)
    return { type, text: alert.msg, threshold: undefined };
  const hasThreshold = alert.threshold !== null && !levels.includes(alert.alarmType);
  return {
    type,
    text: alertValue(alert.value, alert),
    threshold: hasThreshold && alert.threshold !== null ? alertValue(alert.threshold, alert) : undefined,
  };
};
