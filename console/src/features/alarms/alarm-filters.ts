import { systemClasses } from "@telltale/contract/domains/alarms";
import { choice, days, text } from "../../table/filters/filters.ts";
import { classLabels } from "./alarm-text.ts";

/** Filters of the custom alerts. (spec 2 §7) */
export const customFilters = {
  name: text("alarmName"),
  deviceSnId: text("deviceSnId"),
  created: days("createdStartTime", "createdEndTime"),
};

const systemLabels = Object.fromEntries(systemClasses.map((each) => [each, classLabels[each] ?? ""]));

/** Filters of the limit and notification alerts. */
export const systemFilters = { ...customFilters, alert: choice("alarmClass", systemLabels) };
