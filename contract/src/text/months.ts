import type { Zone } from "./wall-clock.ts";

/** Months as numbers counted from year 0, so that they can be compared and added to. */

/** The month of a moment in local time. */
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

/** A month as `2026-10`. */
export const monthText = (month: number): string =>
  `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, "0")}`;

/** The month of a text such as `2026-10`; NaN for any other text. */
export const monthOf = (text: string): number => {
  const [, year, month] = /^([12]\d{3})-(0[1-9]|1[0-2])$/.exec(text) ?? [];
  return Number(year) * 12 + Number(month) - 1;
};

const names = [
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

/** `October` */
export const monthName = (month: number): string => names[month % 12] ?? "";

/** `October 2026` */
export const monthTitle = (month: number): string => `${monthName(month)} ${Math.floor(month / 12)}`;
