import { AlarmCondition } from "@telltale/contract/domains/alerting/conditions";
import { AlertClass } from "@telltale/contract/domains/alerts";

const limit: number = AlarmCondition.limit;

/** Keys under which at most one alert may be open, enforced by a unique index. */
export const ruleKey = {
  /** A custom alarm and what it watches; an alarm that watches something else is another rule. */
  custom: (alarmId: number, channelId: number, alarmType: number, condition = limit): string =>
    `${AlertClass.custom}:${alarmId}:${channelId}:${alarmType}${condition === limit ? "" : `:${condition}`}`,
  /** A channel's own limit, such as its Higher Alarm. */
  threshold: (channelId: number, alarmType: number): string => `${AlertClass.threshold}:${channelId}:${alarmType}`,
  /** An event of a device: offline, low battery. */
  notification: (deviceId: number, what: string): string => `${AlertClass.notification}:${deviceId}:${what}`,
};

/** Whether the key is that of a custom alarm about a rate of change. */
export const isOfRate = (key: string): boolean => {
  const [alarmClass, , , , condition] = key.split(":");
  return Number(alarmClass) === AlertClass.custom && Number(condition) === AlarmCondition.rate;
};

/** Whether the key is that of a channel's own limit. */
export const isOfLimit = (key: string): boolean => key.startsWith(`${AlertClass.threshold}:`);

const readingRulePrefixes = [AlertClass.custom, AlertClass.threshold].map((alarmClass) => `${alarmClass}:`);

/** Whether the key belongs to a rule that evaluates readings: without that rule its alert would never be cleared. */
export const isOfReadings = (key: string): boolean =>
  readingRulePrefixes.some((beginning) => key.startsWith(beginning));
