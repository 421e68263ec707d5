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

/** What is wrong with the date filters: each needs both ends. Undefined when nothing is. (spec 1 §5) */
export const rangeError = (filter: DateFilters): string | undefined => {
  const ranges = [
    [filter.statTime, filter.endTime],
    [filter.statTimeTwo, filter.endTimeTwo],
    [filter.statTimeThree, filter.endTimeThree],
  ] as const;
  if (ranges.some(([start, end]) => !start && end)) return "Please select start date";
  return ranges.some(([start, end]) => start && !end) ? "Please select end date" : undefined;
};

/** What claiming looks at. */
export interface ClaimedUnit {
  deviceType: number;
}

/** Why a unit cannot be claimed with this master; undefined when it can. */
export const claimError = (unit: ClaimedUnit, master: ClaimedUnit | undefined): string | undefined => {
  if (unit.deviceType === DeviceType.main) return master ? "A main device has no PARENT" : undefined;
  if (!master) return "Choose the main device that this sub-device reports through";
  return master.deviceType === DeviceType.main ? undefined : "Choose a main device as PARENT, not a sub-device";
};

/** When the service of a main device ends that is claimed for the first time: it comes with its first year. */
export const firstServiceEnd = (now: Date): Date => yearsAfter(now, 1);
