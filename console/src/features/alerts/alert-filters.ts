import {
  AlertStatus,
  alertClassLabels,
  alertPriorityLabels,
  alertStatusLabels,
  alertTypeLabels,
} from "@telltale/contract/domains/alerts";
import { choice, days, moment, text, wholeNumber } from "../../table/filters/filters.ts";

/** Filters of all alert lists. */
const stateFilters = {
  status: choice("status", alertStatusLabels),
  alert: choice("alarmClass", alertClassLabels),
  type: choice("alarmType", alertTypeLabels),
  triggered: days("createdStartTime", "createdEndTime"),
  confirmed: days("confirmStartTime", "confirmEndTime"),
  cleared: days("modifyStartTime", "modifyEndTime"),
  confirmedBy: text("email"),
};

/** Filters of one channel's alert history. */
export const historyFilters = stateFilters;

/** Filters of the alert log. */
export const logFilters = {
  ...stateFilters,
  channel: text("channelName"),
  deviceName: text("deviceName"),
  deviceSnId: text("deviceSnId"),
  interval: wholeNumber("interval"),
  passedSince: moment("passedSince"),
};

const standingStatuses = {
  [AlertStatus.triggered]: alertStatusLabels[AlertStatus.triggered],
  [AlertStatus.confirmed]: alertStatusLabels[AlertStatus.confirmed],
};

/** Filters of the alerts that stand. */
export const standingFilters = {
  status: choice("status", standingStatuses),
  priority: choice("priority", alertPriorityLabels),
  deviceName: text("deviceName"),
};

/** Filters of the notifications. Their two times are those of triggering and of confirming. */
export const notificationFilters = {
  status: choice("status", alertStatusLabels),
  deviceName: text("deviceName"),
  deviceSnId: text("deviceSnId"),
  triggered: days("createdStartTime", "createdEndTime"),
  confirmed: days("modifyStartTime", "modifyEndTime"),
};
