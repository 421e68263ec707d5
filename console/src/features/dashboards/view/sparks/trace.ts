import type { Sparkline } from "@telltale/contract/domains/dashboard/tiles";
import { heldTimes } from "../../../../domain/held.ts";
import { type LongestSilence, longestSilence, type Pace, type Sample } from "../../../../domain/samples.ts";

/** Readings of so many milliseconds are kept as at most three points: the extremes, and the newest. */
const bucket = 10_000;
const mostInBucket = 3;

/** The last hour of a channel, in time order. */
export interface Trace {
  times: number[];
  values: number[];
  /** First point of the newest bucket of live readings. */
  bucketAt: number;
  low: number | null;
  high: number | null;
  /** How often it was to report, oldest first. */
  paces: readonly Pace[];
  /** Longest silence that is no gap. */
  longest: LongestSilence;
}

/** Points as samples, as the charts' rules take them. */
const samplesOf = ({ times, values }: Pick<Trace, "times" | "values">): Sample[] =>
  times.map((time, at) => [time, values[at] ?? null]);

/** How often the line's channel was to report; all the time as now where the answer says nothing else. */
const pacesOf = (line: Sparkline | undefined, expected: number): Pace[] =>
  line && line.paces.length > 0
    ? line.paces.map(({ since, reportWithin }) => ({ since, expected: reportWithin * 1000 }))
    : [{ since: 0, expected }];

/** A trace of the server's answer; now `expected` milliseconds between two reports are usual. Live points after its last one are kept. */
export const traceOf = (line: Sparkline | undefined, from: number, expected: number, before?: Trace): Trace => {
  let time = from;
  const times = (line?.steps ?? []).map((step) => {
    time += step * 1000;
    return time;
  });
  const values = [...(line?.values ?? [])];
  const paces = pacesOf(line, expected);
  const trace: Trace = {
    ...{ times, values, paces },
    bucketAt: times.length,
    low: line?.low ?? null,
    high: line?.high ?? null,
    longest: longestSilence(samplesOf({ times, values }), paces),
  };
  const last = times.at(-1) ?? Number.NEGATIVE_INFINITY;
  before?.times.forEach((at, index) => {
    // Times of the answer are rounded to the second.
    if (at > last + 1000) append(trace, at, before.values[index] ?? 0);
  });
  return trace;
};

/** Of the newest bucket's points the one that is neither the extreme nor the newest. */
const spare = ({ values, bucketAt }: Trace): number => {
  const own = values.slice(bucketAt);
  const [min, max] = [own.indexOf(Math.min(...own)), own.indexOf(Math.max(...own))];
  return bucketAt + own.findIndex((_, at) => at !== min && at !== max);
};

/** Adds a live reading; one that is not newer is left out. Returns whether it was added. */
export const append = (trace: Trace, time: number, value: number): boolean => {
  const { times, values } = trace;
  if (time <= (times.at(-1) ?? Number.NEGATIVE_INFINITY)) return false;
  const isSame = Math.floor(time / bucket) === Math.floor((times[trace.bucketAt] ?? Number.NaN) / bucket);
  if (!isSame) trace.bucketAt = times.length;
  times.push(time);
  values.push(value);
  if (times.length - trace.bucketAt <= mostInBucket) return true;
  const at = spare(trace);
  times.splice(at, 1);
  values.splice(at, 1);
  return true;
};

/** Drops what is older than `from`, but for the last point before it, from which the line comes. */
export const forget = (trace: Trace, from: number): void => {
  const first = trace.times.findIndex((time) => time >= from);
  const gone = (first === -1 ? trace.times.length : first) - 1;
  if (gone <= 0) return;
  trace.times.splice(0, gone);
  trace.values.splice(0, gone);
  trace.bucketAt = Math.max(0, trace.bucketAt - gone);
};

/** Share of the limit band, and of a value without one, that a sparkline spans at least: noise stays small. */
const leastOfBand = 0.45;
const leastOfValue = 0.1;

/** The times of the points whose value is held, as in a chart: the trace's shortest step stands for the report interval. */
export const heldIn = (trace: Trace): Set<number> => {
  const { times, paces } = trace;
  const report = Math.min(...times.map((time, at) => time - (times[at - 1] ?? 0)));
  const unchangedAt = (moment: number) => (paces.findLast(({ since }) => since <= moment) ?? paces[0])?.expected ?? 0;
  return heldTimes(samplesOf(trace), (time) => ({ report, unchanged: unchangedAt(time) }));
};

/** Where the normal range begins and ends in a drawing of this height, whose limits may be off the axis; pixels from the top. */
export const normalField = (
  { low, high }: Pick<Trace, "low" | "high">,
  y: (value: number) => number,
  height: number,
): [top: number, bottom: number] => {
  const at = (limit: number | null, none: number) => (limit === null ? none : Math.min(Math.max(y(limit), 0), height));
  return [at(high, 0), at(low, height)];
};

/** What is drawn of the axis of values, and which limits are on it. */
export interface Scale {
  bottom: number;
  top: number;
  low: number | null;
  high: number | null;
}

/** The axis of these values: a limit is on it when it is within one span of the data. */
export const scaleOf = (values: readonly number[], { low, high }: Pick<Trace, "low" | "high">): Scale => {
  const [min, max] = [Math.min(...values), Math.max(...values)];
  const middle = (min + max) / 2;
  const least = low !== null && high !== null ? leastOfBand * (high - low) : leastOfValue * Math.abs(middle);
  const span = Math.max(max - min, least) || 1;
  let [bottom, top] = [middle - span / 2, middle + span / 2];
  const isNear = (limit: number) => limit >= min - span && limit <= max + span;
  const near = { low: low !== null && isNear(low) ? low : null, high: high !== null && isNear(high) ? high : null };
  for (const limit of [near.low, near.high]) {
    if (limit === null) continue;
    bottom = Math.min(bottom, limit);
    top = Math.max(top, limit);
  }
  return { bottom, top, ...near };
};

/** Windows without data up to `now`: longer silence than usual between two points, before the first, and than `tail` after the last. */
export const gapsOf = (
  { times, longest }: Trace,
  from: number,
  now: number,
  tail = longest(times.at(-1) ?? from, now),
): [start: number, end: number][] =>
  [...times, now]
    .map((end, at): [number, number] => [Math.max(from, times[at - 1] ?? from), end])
    .filter(([start, end], at) => end > from && end - start > (at === times.length ? tail : longest(start, end)));
