import { dashboards } from "@telltale/contract/domains/dashboard/dashboards";

/** Calls that are stale after a dashboard has changed. */
export const dashboardCalls = [
  dashboards.list,
  dashboards.info,
  dashboards.names,
  dashboards.tiles,
  dashboards.unitPart,
];

/** A group's change also affects every dashboard that contains it. */
export const groupCalls = [...dashboardCalls, dashboards.groups, dashboards.group];
