import { alertEntries } from "@telltale/contract/domains/alerting/entries";
import { alerts } from "@telltale/contract/domains/alerts";

/** Calls that are stale after a confirmation. */
export const changedCalls = [
  alerts.log,
  alerts.notifications,
  alerts.ofChannel,
  alerts.unconfirmed,
  alerts.confirmed,
  alertEntries.standing,
  alertEntries.info,
  alertEntries.passed,
];
