import { DownloadMessage, selectableDays } from "@telltale/contract/domains/readings/downloads";
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

/** The month number of a time, counted from year 0, so that months can be compared and added to. */
export const monthOn = (zone: Zone, ts: number): number => {
  const wall = new Date(ts + zone.offset(ts));
  return wall.getUTCFullYear() * 12 + wall.getUTCMonth();
};

const firstDayOf = (month: number): number => Date.UTC(Math.floor(month / 12), month % 12);

/** A month in local time, both ends included, in epoch milliseconds. */
export const monthStretch = (zone: Zone, month: number): { from: number; to: number } => ({
  from: zone.showing(firstDayOf(month)),
  to: zone.showing(firstDayOf(month + 1)) - 1,
});

const monthNames = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

/** A month as `packMonthUs` and `packYear`. */
export const monthLabel = (month: number): { packMonthUs: string; packYear: number } => ({
  packMonthUs: monthNames[month % 12] ?? "",
  packYear: Math.floor(month / 12),
});

/** A month as `2026-10`, for file names. */
export const monthText = (month: number): string =>
  `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, "0")}`;

/** Makes user-provided text safe for a file name. */
export const fileNamePart = (text: string): string =>
  text.replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^[-.]+|[-.]+$/g, "");
