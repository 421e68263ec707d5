import { firstZoom, viewOf, type Zoom } from "./drawing/picture.ts";
import type { Sample, Window } from "./drawing/samples.ts";

const second = 1000;
const minute = 60 * second;

/** The specified first part of the range is opened on when it is as long and has as many readings: it shows too little otherwise. */
const worthwhile = { length: 9 * minute, readings: 20 };

/** Everything. */
const whole: Zoom = { start: 0, end: 100 };

/** Length of the axis around a single reading. */
const lengthOfOne = 10 * minute;
/** Shortest axis: its labels count seconds. */
const shortest = 2 * second;
/** Share of the readings' stretch that is left free before and after a few of them, so that none stands on an axis. */
const margin = 0.03;
/** Share of the readings' stretch by which the silence after the last one is shown. */
const silence = 0.1;

const timesOf = (samples: readonly Sample[]): { first: number; last: number } | undefined => {
  const held = samples.filter(([, value]) => value !== null);
  const [first, last] = [held[0]?.[0], held.at(-1)?.[0]];
  return first === undefined || last === undefined ? undefined : { first, last };
};

const around = (middle: number, length: number): Window => ({ start: middle - length / 2, end: middle + length / 2 });

/** The readings from edge to edge, and some of the silence since. */
const dense = ({ first, last }: { first: number; last: number }, until: number): Window => ({
  start: first,
  end: Math.max(last, Math.min(until, last + (last - first) * silence), first + shortest),
});

const sparse = ({ first, last }: { first: number; last: number }): Window =>
  first === last
    ? around(first, lengthOfOne)
    : around((first + last) / 2, Math.max(shortest, (last - first) * (1 + 2 * margin)));

/** The stretch that readings were looked for in, and whether somebody asked for these very moments. */
export interface Stretch extends Window {
  isAsked: boolean;
}

const asked = ({ start, end }: Stretch): Window => ({ start, end: Math.max(end, start + second) });

/**
 * What the chart opens on: the first 15 percent, as specified, where they show enough; all there is of few readings and of a
 * young period. Undefined while there is no reading.
 */
export const openingOf = (samples: readonly Sample[], stretch: Stretch): Zoom | undefined => {
  const times = timesOf(samples);
  if (!times) return undefined;
  const part = viewOf(stretch.isAsked ? asked(stretch) : dense(times, stretch.end), firstZoom);
  const inPart = samples.filter(([time, value]) => value !== null && time >= part.start && time <= part.end);
  const isWorthwhile = part.end - part.start >= worthwhile.length && inPart.length >= worthwhile.readings;
  return isWorthwhile ? firstZoom : whole;
};

/**
 * The time axis: what was asked for. Where nobody asked for a start and an end it is as long as the readings need it, so that they fill
 * the plot; one reading stands in the middle.
 */
export const axisOf = (samples: readonly Sample[], stretch: Stretch, opening: Zoom | undefined): Window => {
  const times = timesOf(samples);
  if (stretch.isAsked || !times) return asked(stretch);
  return opening?.end === whole.end ? sparse(times) : dense(times, stretch.end);
};
