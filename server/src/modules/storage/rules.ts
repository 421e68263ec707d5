import { bytesPerReading, gigabyte } from "@telltale/contract/domains/readings/storage";
import { firstHourOf, monthOfHour } from "../../telemetry/index.ts";

const hourLength = 3_600_000;
const hoursOfADay = 24;

/** The shortest of several times for which readings are kept, in months; null: for ever. */
export const shortestKept = (...months: readonly (number | null | undefined)[]): number | null => {
  const given = months.filter((each) => typeof each === "number");
  return given.length === 0 ? null : Math.min(...given);
};

/**
 * First hour (since the epoch) whose readings are kept when they are kept for `months`: the beginning of a month, so that at least these months are
 * kept, and months can be dropped whole. `now` in epoch milliseconds.
 */
export const firstKeptHour = (months: number, now: number): number =>
  firstHourOf(monthOfHour(Math.floor(now / hourLength)) - months);

/** Readings that fit into a package's storage space. */
export const readingsOfSpace = (gigabytes: number): number => Math.floor((gigabytes * gigabyte) / bytesPerReading);

/**
 * When the people of a device were told that its storage space is used up; null when they were not. What they were told of another size does not count:
 * after a change of packages they have the whole time anew, to download readings or to buy more.
 */
export const noticedTime = ({
  storage_space,
  noticed_time,
  noticed_gigabytes,
}: {
  storage_space: number;
  noticed_time: Date | null;
  noticed_gigabytes: number | null;
}): Date | null => (noticed_gigabytes === storage_space ? noticed_time : null);

/** A span of hours with its number of readings. */
interface Counted {
  /** First hour since the epoch. */
  hour: number;
  readings: number;
}

/**
 * First hour from which on at most `most` readings are stored. `spans` are adjacent, newest first; the span in which the limit is reached goes whole.
 * Undefined when all fit.
 */
export const firstHourThatFits = (spans: readonly Counted[], most: number): number | undefined => {
  let stored = 0;
  let first: number | undefined;
  for (const { hour, readings } of spans) {
    stored += readings;
    if (stored > most) return first ?? Number.POSITIVE_INFINITY;
    first = hour;
  }
  return undefined;
};

/** The newest hour that may be the first to be kept: readings of the last day stay, whatever they use. */
export const latestFirstHour = (now: number): number => Math.floor(now / hourLength) - hoursOfADay;
