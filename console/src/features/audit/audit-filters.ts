import { days, text } from "../../table/filters/filters.ts";

/** What the audit log can be filtered by. */
export const auditFilters = {
  time: days("createdStartTime", "createdEndTime"),
  who: text("email"),
  action: text("action"),
};
