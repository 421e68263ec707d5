import { deviceStatusLabels } from "@telltale/contract/domains/devices";
import { choice, days, text } from "../../table/filters/filters.ts";

/** Filters of the firmware. (spec 2 §2) */
export const firmwareFilters = {
  status: choice("status", deviceStatusLabels),
  deviceName: text("deviceName"),
  // The call names the filter of the device ID so.
  deviceSnId: text("deviceSn"),
  updated: days("statTime", "endTime"),
};
