import { deviceStatusLabels } from "@telltale/contract/domains/devices";
import { deviceColumns } from "../../../domain/device-columns.tsx";
import { choice, days, text } from "../../../table/filters/filters.ts";

/** What the device list can be filtered by, by column. (spec 1 §2) */
export const deviceFilters = {
  status: choice("status", deviceStatusLabels),
  deviceSnId: text("deviceSnId"),
  deviceSn: text("deviceSn"),
  deviceName: text("deviceName"),
  installed: days("statTime", "endTime"),
  renewed: days("statTimeTwo", "endTimeTwo"),
  payDate: days("statTimeThree", "endTimeThree"),
};

type Name = keyof typeof deviceFilters;

/** The label of each filter: its column's. */
export const deviceFilterHeads = Object.fromEntries(
  Object.keys(deviceFilters).map((name) => [name, deviceColumns[name as Name].head]),
) as Record<Name, string>;
