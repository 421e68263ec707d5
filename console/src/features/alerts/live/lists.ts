import type { StandingRow } from "@telltale/contract/domains/alerting/entries";
import {
  AlertClass,
  isWaiting,
  type LoggedAlert,
  type NotificationRow,
  stripLength,
} from "@telltale/contract/domains/alerts";
import type { AlertList } from "./changed-pages.ts";
import { isShownBy } from "./shown-by.ts";

type Dated = Pick<LoggedAlert, "createdTime" | "alarmLogId">;

const newestFirst = (a: Dated, b: Dated): number =>
  b.createdTime.getTime() - a.createdTime.getTime() || b.alarmLogId - a.alarmLogId;

/** All of the log. */
export const logList: AlertList<LoggedAlert> = {
  rowOf: ({ now, silence, ...alert }) => alert,
  compare: newestFirst,
  shows: isShownBy,
  isSteady: true,
};

/** What stands, or of that what waits for a person. */
export const standingList: AlertList<StandingRow> = {
  rowOf: (alert) => alert,
  compare: (a, b) => Number(a.isSilent) - Number(b.isSilent) || a.priority - b.priority || newestFirst(a, b),
  shows: (alert, { unconfirmed, ...filter }) =>
    alert.modifiedTime === null && (unconfirmed === undefined || isWaiting(alert)) && isShownBy(alert, filter),
  isSteady: false,
};

/** The notifications about devices. Their `modify…` filters mean the time of confirmation. */
export const notificationList: AlertList<NotificationRow> = {
  rowOf: (alert) => ({
    ...{ alarmLogId: alert.alarmLogId, alarmLogGroupId: alert.alarmLogGroupId, status: alert.status },
    ...{ deviceId: alert.deviceId, deviceName: alert.deviceName, deviceSnId: alert.deviceSnId, msg: alert.msg },
    ...{ createdTime: alert.createdTime, acceptTime: alert.acceptTime, acceptBy: alert.acceptName },
  }),
  compare: newestFirst,
  shows: (alert, { modifyStartTime: confirmStartTime, modifyEndTime: confirmEndTime, ...filter }) =>
    alert.alarmClass === AlertClass.notification && isShownBy(alert, { ...filter, confirmStartTime, confirmEndTime }),
  isSteady: true,
};

/** The newest notifications, as the log brings them for its strip, after a change. */
export const changedStrip = (strip: readonly NotificationRow[], told: readonly StandingRow[]): NotificationRow[] => {
  const fresh = told.filter((alert) => alert.alarmClass === AlertClass.notification).map(notificationList.rowOf);
  const ids = new Set(fresh.map(({ alarmLogId }) => alarmLogId));
  const all = [...strip.filter(({ alarmLogId }) => !ids.has(alarmLogId)), ...fresh].sort(newestFirst);
  return all.slice(0, stripLength);
};
