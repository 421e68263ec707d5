import { AlertClass } from "@telltale/contract/alerts";

/** Names what may be open at most once; the database's unique index on open alerts stands on it. */
export const ruleKey = {
  /** A custom alarm watches one channel. */
  custom: (alarmId: number): string => `${AlertClass.custom}:${alarmId}`,
  /** A channel's own limit, such as its Higher Alarm. */
  threshold: (channelId: number, alarmType: number): string => `${AlertClass.threshold}:${channelId}:${alarmType}`,
  /** Something that happened to a device: offline, low battery. */
  notification: (deviceId: number, what: string): string => `${AlertClass.notification}:${deviceId}:${what}`,
};
