import { dashboards } from "@telltale/contract/dashboards";

/** Whatever shows dashboards or groups is out of date after a change of one. */
export const changedCalls = [
  dashboards.list,
  dashboards.info,
  dashboards.names,
  dashboards.groups,
  dashboards.group,
  dashboards.tiles,
  dashboards.unitPart,
];
