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
}

const readingsIn = (samples: readonly Sample[], { start, end }: Window): Sample[] =>
  samples.filter(([time, value]) => value !== null && time >= start && time <= end);

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
 * The time axis: the requested range. Where the user chose neither a window nor its ends, it is as long as the readings need to fill the plot; a single
 * reading is centred.
 */
export const timeAxisRange = (
  samples: readonly Sample[],
  requested: RequestedRange,
  opening: Zoom | undefined,
): Window => {
  const times = timesOf(samples);
  if (requested.isExplicit || requested.isWhole || !times) return request(requested);
  return opening?.end === whole.end ? sparse(times) : dense(times, requested.end);
};
