import { days, text } from "../../table/filters/filters.ts";

/** Filters of the audit log. */
export const auditFilters = {
  time: days("createdStartTime", "createdEndTime"),
  who: text("email"),
  action: text("action"),
};
