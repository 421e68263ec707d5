import type { LogGroup } from "@telltale/contract/channels";
import type { Zone } from "../../format/zone.ts";
import type { Sample, Window } from "./chart/samples.ts";

/** A range of the search; both ends included. */
export interface Range {
  start: Date;
  end: Date;
}

/** The two ends as they stand in the search field, on the device's clock; null where nothing is chosen. */
export type RangeText = [start: string | null, end: string | null];

/** What is wrong with the range of the search; undefined when nothing is. (spec 1 §5) */
export const rangeComplaint = ([start, end]: RangeText, zone: Zone): string | undefined => {
  const from = zone.moment(start ?? "");
  const to = zone.moment(end ?? "", "last");
  if (!from) return "Please select start date";
  if (!to) return "Please select end date";
  return from > to ? "The start must not be after the end" : undefined;
};

/** The range that the texts stand for; undefined unless they are in order. The end counts to the end of its second. */
export const rangeOf = ([start, end]: RangeText, zone: Zone): Range | undefined => {
  const from = zone.moment(start ?? "");
  const to = zone.moment(end ?? "", "last");
  if (!from || !to || from > to) return undefined;
  return { start: from, end: new Date(to.getTime() + 999) };
};

const second = 1000;
const day = 24 * 60 * 60 * second;

/** What is shown of a settings period. */
export interface Shown extends Window {
  /** New readings belong to it. */
  isLive: boolean;
  /** Somebody asked for these very moments. */
  isAsked: boolean;
}

/**
 * What is shown of a settings period: the part within the range that was searched for. Without a search, the last
 * 24 hours of the period in force, and an earlier period as a whole.
 */
export const shownOf = ({ startTime, endTime }: LogGroup, range: Range | undefined, now: number): Shown => {
  const from = startTime.getTime();
  const until = endTime?.getTime() ?? Math.max(now, from);
  const start = range ? range.start.getTime() : endTime ? from : now - day;
  const end = range ? range.end.getTime() : until;
  const shown = { start: Math.max(from, start), end: Math.min(until, end) };
  return {
    start: Math.min(shown.start, shown.end),
    end: shown.end,
    isLive: endTime === null && end >= until,
    isAsked: range !== undefined,
  };
};

/**
 * The stretch that the chart covers. Where nobody asked for a start it is the first reading: the chart opens on the first part of
 * its range, and that would be empty for a device that is new, or was silent.
 */
export const coveredBy = ({ start, end, isAsked }: Shown, samples: readonly Sample[] | undefined): Window => {
  const first = samples?.[0]?.[0];
  if (isAsked || first === undefined) return { start, end };
  return { start: Math.max(start, Math.min(first, end - second)), end };
};
