import { chosenDays, DownloadMessage } from "@telltale/contract/domains/downloads";
import { dayOn, dayText, type WallClock } from "./wall-clock.rules.ts";

interface AskedRange {
  startTime?: Date | undefined;
  endTime?: Date | undefined;
}

/** What is wrong with the days that are to be downloaded, on the device's clock; undefined when nothing is. (spec 1 §5, §9) */
export const rangeError = ({ startTime, endTime }: AskedRange, clock: WallClock, now: number): string | undefined => {
  if (!startTime || !endTime) return DownloadMessage.range;
  if (startTime > endTime) return "End date is before start date";
  const [first, last] = [dayOn(clock, startTime.getTime()), dayOn(clock, endTime.getTime())];
  const today = dayOn(clock, now);
  const [earliest, latest] = [today - chosenDays.earliest, today - chosenDays.latest];
  if (first < earliest || last > latest) return `Choose Data from ${dayText(earliest)} to ${dayText(latest)}`;
  return last - first >= chosenDays.longest ? `Choose at most ${chosenDays.longest} days` : undefined;
};

/** Months are counted from the year 0, so that they can be compared and added to. */
export const monthOn = (clock: WallClock, ts: number): number => {
  const wall = new Date(ts + clock.offset(ts));
  return wall.getUTCFullYear() * 12 + wall.getUTCMonth();
};

const firstDayOf = (month: number): number => Date.UTC(Math.floor(month / 12), month % 12);

/** A month on the device's clock, both ends included, in epoch milliseconds. */
export const monthStretch = (clock: WallClock, month: number): { from: number; to: number } => ({
  from: clock.moment(firstDayOf(month)),
  to: clock.moment(firstDayOf(month + 1)) - 1,
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

/** A month as `packMonthUs` and `packYear` say it. */
export const monthWords = (month: number): { packMonthUs: string; packYear: number } => ({
  packMonthUs: monthNames[month % 12] ?? "",
  packYear: Math.floor(month / 12),
});

/** `2026-10`, for names of files. */
export const monthText = (month: number): string =>
  `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, "0")}`;

/** A part of a file name made of what a user or an operator wrote. */
export const fileWord = (text: string): string =>
  text.replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^[-.]+|[-.]+$/g, "");
