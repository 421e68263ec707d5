import type { Chart, LogGroup } from "@telltale/contract/domains/channels";
import type { Zone } from "@telltale/contract/text/wall-clock";
import type { Window } from "../../../domain/samples.ts";

/** A range of the search; both ends included. */
export interface Range {
  start: Date;
  end: Date;
}

/** The two ends in the search field, in the device's time zone; null where nothing is selected. */
export type RangeText = [start: string | null, end: string | null];

/** The error of a search range; undefined when it is valid. (spec 1 §5) */
export const rangeError = ([start, end]: RangeText, zone: Zone): string | undefined => {
  const from = zone.moment(start ?? "");
  const to = zone.moment(end ?? "", "last");
  if (!from) return "Please select start date";
  if (!to) return "Please select end date";
  return from > to ? "The start must not be after the end" : undefined;
};

/** Parses the texts of a range; undefined when they are invalid. The end includes its whole second. */
export const rangeOf = ([start, end]: RangeText, zone: Zone): Range | undefined => {
  const from = zone.moment(start ?? "");
  const to = zone.moment(end ?? "", "last");
  if (!from || !to || from > to) return undefined;
  return { start: from, end: new Date(to.getTime() + 999) };
};

const day = 24 * 60 * 60 * 1000;

/** The shown part of a settings period. */
export interface Shown {
  /** The range of the request: the server applies its clock and the newest reading, because the browser's clock may be wrong. */
  requested: { startTime?: Date; endTime?: Date; latest?: number };
  /** New readings belong to it. */
  isLive: boolean;
  /** The user chose these exact ends. */
  isExplicit: boolean;
  /** The end of its readings; undefined while the period is current. */
  until: Date | undefined;
}

/**
 * The shown part of a settings period: the part within the searched range. Without a search, the last 24 hours of the current period, and the whole
 * of an earlier one.
 */
export const shownOf = ({ endTime }: LogGroup, range: Range | undefined, now: number): Shown => {
  const isOpen = endTime === null;
  if (!range)
    return { requested: isOpen ? { latest: day } : {}, isLive: isOpen, isExplicit: false, until: endTime ?? undefined };
  const isLive = isOpen && range.end.getTime() >= now;
  const until = endTime && endTime < range.end ? endTime : range.end;
  return { requested: { startTime: range.start, endTime: range.end }, isLive, isExplicit: true, until };
};

/**
 * The window up to now of so many milliseconds, as it was read: where the device was silent all that time, up to its last reading. It moves on with the
 * newest reading since.
 */
export const windowUpToNow = (
  { from, to, dataXs }: Pick<Chart, "from" | "to" | "dataXs">,
  length: number,
  newest = Number.NEGATIVE_INFINITY,
): Window => {
  const last = dataXs.at(-1) ?? to;
  const isAged = last < to - length;
  const end = Math.max(isAged ? last : to, newest);
  // A clock that is ahead makes it longer.
  const span = Math.max(length, isAged ? 0 : to - from);
  return { start: Math.max(from, end - span), end };
};

/** The shown range of a selected slot, for the search field: both ends included. */
export const rangeOfSlot = ({ startTime, endTime }: LogGroup, range: Range | undefined, now: number): Range => {
  const last = endTime ? endTime.getTime() - 1 : Math.max(now, startTime.getTime());
  const first = range?.start.getTime() ?? (endTime ? startTime.getTime() : last - day);
  const end = Math.min(last, range?.end.getTime() ?? last);
  return { start: new Date(Math.min(Math.max(startTime.getTime(), first), end)), end: new Date(end) };
};

/** Explains why there are no readings: a period may have fewer than the range. */
export const emptyText = ({ startTime, endTime }: LogGroup, range: Range | undefined, zone: Zone): string => {
  const isWhole = range && startTime <= range.start && (!endTime || endTime > range.end);
  if (isWhole) return "No readings in this range";
  if (!endTime) return `No readings since ${zone.stamp(startTime)}, when these settings came into force`;
  return `No readings from ${zone.stamp(startTime)} to ${zone.stamp(endTime)}, while these settings were in force`;
};
