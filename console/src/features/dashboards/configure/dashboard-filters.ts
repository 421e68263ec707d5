import { days, text } from "../../../table/filters/filters.ts";

/** What the list of dashboards can be filtered by. (spec 2 §7) */
export const dashboardFilters = {
  name: text("name"),
  created: days("createdStartTime", "createdEndTime"),
};
