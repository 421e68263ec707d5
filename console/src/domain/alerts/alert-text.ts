import type { AlertDelivery } from "@telltale/contract/domains/alerting/entries";
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

type Figured = Pick<AlertRow, "valueUnit" | "alarmType"> & Partial<Pick<AlertRow, "isSwitch" | "isRate">>;

/** Whether the values of an alert are a contact's, ON and OFF, also where a custom alert watches it by High or Low. */
export const isLevel = ({ alarmType, isSwitch = false }: Figured): boolean => isSwitch || levels.includes(alarmType);

/** A value of an alert with its unit: 2 decimals; ON or OFF for a contact. (spec 1 §9) */
export const alertValue = (value: number, alert: Figured): string => {
  if (isLevel(alert)) return value > 0 ? "ON" : "OFF";
  return alert.valueUnit === "" ? withDecimals(value, 2) : `${withDecimals(value, 2)} ${alert.valueUnit}`;
};

/** A reading of an alert's channel, which has the channel's own unit also where the alert is about a rate. */
export const readingValue = (value: number, alert: Figured): string =>
  alertValue(value, alert.isRate ? { ...alert, valueUnit: alert.valueUnit.replace(/\/min$/, "") } : alert);

/**
 * An alert in one line: type, value or message, and the threshold if there is one; a contact has none beside its level. A value beyond the sensor's
 * range says so.
 */
export interface AlertLine {
  type: string;
  text: string;
  threshold: string | undefined;
}

type Lined = Pick<AlertRow, "alarmType" | "value" | "valueUnit" | "threshold" | "msg" | "isSwitch">;

/** The line of an alert. (spec 1 §9) */
export const alertLine = (alert: Lined): AlertLine => {
  const type = alertTypeLabels[alert.alarmType];
  if (alert.value === null || alert.alarmType === AlertType.system)
    return { type, text: alert.msg, threshold: undefined };
  const hasThreshold = alert.threshold !== null && !isLevel(alert);
  return {
    type,
    text: alert.msg === "" ? alertValue(alert.value, alert) : `${alertValue(alert.value, alert)}, ${alert.msg}`,
    threshold: hasThreshold && alert.threshold !== null ? alertValue(alert.threshold, alert) : undefined,
  };
};

/** The level at which an alert of a contact is raised, ON or OFF; undefined for any other. */
export const alertWhen = (alert: Lined): string | undefined =>
  levels.includes(alert.alarmType) && alert.value !== null
    ? alertValue(alert.threshold ?? alert.value, alert)
    : undefined;

/** Why a message about an alert was not delivered; undefined of one that was, or may be yet. */
export const whyNotDelivered = ({ status, fault }: Pick<AlertDelivery, "status" | "fault">): string | undefined => {
  switch (status) {
    case "failed":
      return fault === "" ? "Failed" : `Failed: ${fault}`;
    case "kept":
      return "Not sent: not set up";
    case "skipped":
      return fault || "Not sent";
    default:
      return undefined;
  }
};

/** An alert, or an event of a device, as far as a link to its moment needs it. */
interface Raised {
  alarmLogId: number;
  deviceId: number;
  deviceChannelId?: number | null;
  createdTime: Date;
}

/** Parameters of the device screen for an alert: its channel, at the moment at which it was raised. */
export const momentSearch = ({ alarmLogId, deviceId, deviceChannelId, createdTime }: Raised) => ({
  deviceId,
  deviceChannelId: deviceChannelId ?? undefined,
  alarmLogId,
  at: createdTime.toISOString(),
});

/** The device screen at an alert's channel and moment. */
export const momentLink = (alert: Raised) => ({ to: "/devicesDetail", search: momentSearch(alert) });
