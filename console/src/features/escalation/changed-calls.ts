import { alarms } from "@telltale/contract/domains/alarms";
import { plans, rosters } from "@telltale/contract/domains/alerting/escalation";

/** Calls that are stale after a plan has changed. */
export const changedByPlan = [plans.list, alarms.list, alarms.systemList, alarms.info];

/** Calls that are stale after a roster or a swap has changed. */
export const changedByRoster = [rosters.list, rosters.onCall, plans.list, plans.people];
