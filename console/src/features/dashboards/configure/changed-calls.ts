import { dashboards } from "@telltale/contract/domains/dashboards";

/** What shows dashboards is out of date after a change of one. */
export const dashboardCalls = [
  dashboards.list,
  dashboards.info,
  dashboards.names,
  dashboards.tiles,
  dashboards.unitPart,
];

/** A group's change shows on every dashboard that has it, too. */
export const groupCalls = [...dashboardCalls, dashboards.groups, dashboards.group];
