import { DownloadMessage, selectableDays } from "@telltale/contract/domains/readings/downloads";
import { monthName } from "@telltale/contract/text/months";
import { dayOn, dayText, type Zone } from "@telltale/contract/text/wall-clock";

interface RequestedRange {
  startTime?: Date | undefined;
  endTime?: Date | undefined;
}

/** The error in the chosen days, in the device's local time; undefined when valid. (spec 1 §5, §9) */
export const rangeError = ({ startTime, endTime }: RequestedRange, zone: Zone, now: number): string | undefined => {
  if (!startTime || !endTime) return DownloadMessage.range;
  if (startTime > endTime) return "End date is before start date";
  const [first, last] = [dayOn(zone, startTime.getTime()), dayOn(zone, endTime.getTime())];
  const today = dayOn(zone, now);
  const [earliest, latest] = [today - selectableDays.earliest, today - selectableDays.latest];
  if (first < earliest || last > latest) return `Choose Data from ${dayText(earliest)} to ${dayText(latest)}`;
  return last - first >= selectableDays.longest ? `Choose at most ${selectableDays.longest} days` : undefined;
};

/** A month as `packMonthUs` and `packYear`. */
export const monthLabel = (month: number): { packMonthUs: string; packYear: number } => ({
  packMonthUs: monthName(month),
  packYear: Math.floor(month / 12),
});

/** Makes user-provided text safe for a file name. */
export const fileNamePart = (text: string): string =>
  text.replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^[-.]+|[-.]+$/g, "");
