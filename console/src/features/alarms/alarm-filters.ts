import { systemClasses } from "@telltale/contract/domains/alarms";
import { choice, days, text } from "../../table/filters/filters.ts";
import { classLabels } from "./alarm-text.ts";

/** Filters of the custom alerts. (spec 2 §7) */
export const customFilters = {
  name: text("alarmName"),
  deviceSnId: text("deviceSnId"),
  created: days("createdStartTime", "createdEndTime"),
};
export const customHeads = { name: "NAME", deviceSnId: "DEVICE ID", created: "CREATED" } as const;

const systemLabels = Object.fromEntries(systemClasses.map((each) => [each, classLabels[each] ?? ""]));

/** Filters of the alerts about limits and notifications. */
export const systemFilters = { ...customFilters, alert: choice("alarmClass", systemLabels) };
export const systemHeads = { name: "NAME", alert: "ALERT", deviceSnId: "DEVICE ID", created: "CREATED" } as const;
