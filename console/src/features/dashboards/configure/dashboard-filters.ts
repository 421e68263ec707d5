import { days, text } from "../../../table/filters/filters.ts";

/** Filters of the dashboard list. (spec 2 §7) */
export const dashboardFilters = {
  name: text("name"),
  created: days("createdStartTime", "createdEndTime"),
};
