import { deviceStatusLabels } from "@telltale/contract/domains/devices";
import { choice, days, text } from "../../../table/filters/filters.ts";

/** Filters of the device list, by column. (spec 1 §2) */
export const deviceFilters = {
  status: choice("status", deviceStatusLabels),
  deviceSnId: text("deviceSnId"),
  deviceSn: text("deviceSn"),
  deviceName: text("deviceName"),
  installed: days("statTime", "endTime"),
  renewed: days("statTimeTwo", "endTimeTwo"),
  payDate: days("statTimeThree", "endTimeThree"),
};
