import { deviceStatusLabels } from "@telltale/contract/domains/devices";
import { choice, days, text } from "../../table/filters/filters.ts";

/** Filters of the firmware list. (spec 2 §2) */
export const firmwareFilters = {
  status: choice("status", deviceStatusLabels),
  deviceName: text("deviceName"),
  // The call's name for the device ID filter.
  deviceSnId: text("deviceSn"),
  updated: days("statTime", "endTime"),
};
