import type { Sample, Window } from "../../../domain/samples.ts";
import { defaultZoom, viewOf, type Zoom } from "./drawing/chart-model.ts";

const second = 1000;
const minute = 60 * second;

/** The specified first part of the range is used only when it is this long and has this many readings; otherwise it would show too little. */
const worthwhile = { length: 9 * minute, readings: 20 };

/** The whole range. */
const whole: Zoom = { start: 0, end: 100 };

/** Length of the axis around a single reading. */
const lengthOfOne = 10 * minute;
/** Shortest axis: its labels count seconds. */
const shortest = 2 * second;
/** Margin before and after a few readings, as a share of their span, so that none is drawn on an axis. */
const margin = 0.03;
/** Shown part of the gap after the last reading, as a share of the readings' span. */
const silence = 0.1;

const timesOf = (samples: readonly Sample[]): { first: number; last: number } | undefined => {
  const held = samples.filter(([, value]) => value !== null);
  const [first, last] = [held[0]?.[0], held.at(-1)?.[0]];
  return first === undefined || last === undefined ? undefined : { first, last };
};

const around = (middle: number, length: number): Window => ({ start: middle - length / 2, end: middle + length / 2 });

/** The readings from edge to edge, and part of the gap since. */
const dense = ({ first, last }: { first: number; last: number }, until: number): Window => ({
  start: first,
  end: Math.max(last, Math.min(until, last + (last - first) * silence), first + shortest),
});

const sparse = ({ first, last }: { first: number; last: number }): Window =>
  first === last
    ? around(first, lengthOfOne)
    : around((first + last) / 2, Math.max(shortest, (last - first) * (1 + 2 * margin)));

/** The requested time range, and whether the user chose these exact ends. */
export interface RequestedRange extends Window {
  isExplicit: boolean;
  /** A window up to now, or the range around a moment: it opens whole. */
  isWhole?: boolean;
  /** Length of a window up to now, milliseconds. */
  length?: number | undefined;
  /** The window moves on with each reading. */
  isFollowing?: boolean | undefined;
}

/** Below this number of readings a window is as long as they need to fill the plot. */
const sparseBelow = 60;

const readingsIn = (samples: readonly Sample[], { start, end }: Window): Sample[] =>
  samples.filter(([time, value]) => value !== null && time >= start && time <= end);

/** Share of a moving window that is left free after the newest reading. */
const ahead = 0.015;

/** The window that ends with the newest reading. */
const followed = (samples: readonly Sample[], last: number, length: number): Window => {
  const window = { start: last - length * (1 - ahead), end: last + length * ahead };
  const inWindow = readingsIn(samples, window);
  const times = timesOf(inWindow);
  return times && inWindow.length < sparseBelow ? sparse(times) : window;
};

/** While it is open, a window may grow by the readings that arrive, but not much beyond its length. */
const withinLength = (start: number, end: number, { length }: RequestedRange): Window => ({
  start: length === undefined ? start : Math.max(start, end - length * (1 + silence)),
  end,
});

/** A window up to now. */
const upToNow = (
  samples: readonly Sample[],
  requested: RequestedRange,
  times: { first: number; last: number },
): Window =>
  readingsIn(samples, { start: times.first, end: times.last }).length < sparseBelow
    ? sparse(times)
    : withinLength(Math.min(requested.start, times.first), dense(times, requested.end).end, requested);

const request = ({ start, end }: RequestedRange): Window => ({ start, end: Math.max(end, start + second) });

/**
 * The initial zoom: the first 15 percent, as specified, where that shows enough; everything for few readings and for a young period. Undefined while
 * there is no reading.
 */
export const initialZoom = (samples: readonly Sample[], requested: RequestedRange): Zoom | undefined => {
  const times = timesOf(samples);
  if (!times) return undefined;
  if (requested.isWhole) return whole;
  const part = viewOf(requested.isExplicit ? request(requested) : dense(times, requested.end), defaultZoom);
  const inPart = readingsIn(samples, part);
  const isWorthwhile = part.end - part.start >= worthwhile.length && inPart.length >= worthwhile.readings;
  return isWorthwhile ? defaultZoom : whole;
};

/**
 * The time axis: the requested range. Where the user chose no start and end, it is as long as the readings need to fill the plot; a single reading
 * is centred.
 */
export const timeAxisRange = (
  samples: readonly Sample[],
  requested: RequestedRange,
  opening: Zoom | undefined,
): Window => {
  const times = timesOf(samples);
  if (requested.isExplicit || !times) return request(requested);
  if (requested.isFollowing && requested.length !== undefined) return followed(samples, times.last, requested.length);
  if (requested.isWhole) return upToNow(samples, requested, times);
  return opening?.end === whole.end ? sparse(times) : dense(times, requested.end);
};
