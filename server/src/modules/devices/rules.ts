import { DeviceType } from "@telltale/contract/domains/devices";
import { yearsAfter } from "../../platform/calendar.ts";

/** The three date filters of the list. */
export interface DateFilters {
  statTime?: Date | undefined;
  endTime?: Date | undefined;
  statTimeTwo?: Date | undefined;
  endTimeTwo?: Date | undefined;
  statTimeThree?: Date | undefined;
  endTimeThree?: Date | undefined;
}

/** The error in the date filters, each of which needs both ends; undefined when valid. (spec 1 §5) */
export const rangeError = (filter: DateFilters): string | undefined => {
  const ranges = [
    [filter.statTime, filter.endTime],
    [filter.statTimeTwo, filter.endTimeTwo],
    [filter.statTimeThree, filter.endTimeThree],
  ] as const;
  if (ranges.some(([start, end]) => !start && end)) return "Please select start date";
  return ranges.some(([start, end]) => start && !end) ? "Please select end date" : undefined;
};

/** Inputs of the check for a claim. */
export interface ClaimedUnit {
  deviceType: number;
}

/** Why a unit cannot be claimed with this master; undefined when it can. */
export const claimError = (unit: ClaimedUnit, master: ClaimedUnit | undefined): string | undefined => {
  if (unit.deviceType === DeviceType.main) return master ? "A main device has no PARENT" : undefined;
  if (!master) return "Choose the main device that this sub-device reports through";
  return master.deviceType === DeviceType.main ? undefined : "Choose a main device as PARENT, not a sub-device";
};

/** End of the first service of a main device: its first year is included. */
export const firstServiceEnd = (now: Date): Date => yearsAfter(now, 1);
