import { AlertClass } from "@telltale/contract/domains/alerts";

/** Names what may be open at most once; the database's unique index on open alerts stands on it. */
export const ruleKey = {
  /** A custom alarm and what it watches: changed to watch something else, it is another rule. */
  custom: (alarmId: number, channelId: number, alarmType: number): string =>
    `${AlertClass.custom}:${alarmId}:${channelId}:${alarmType}`,
  /** A channel's own limit, such as its Higher Alarm. */
  threshold: (channelId: number, alarmType: number): string => `${AlertClass.threshold}:${channelId}:${alarmType}`,
  /** Something that happened to a device: offline, low battery. */
  notification: (deviceId: number, what: string): string => `${AlertClass.notification}:${deviceId}:${what}`,
};

const judged = [AlertClass.custom, AlertClass.threshold].map((alarmClass) => `${alarmClass}:`);

/** Whether the key names a rule that judges readings: without that rule nothing would ever clear its alert. */
export const isOfReadings = (key: string): boolean => judged.some((beginning) => key.startsWith(beginning));
