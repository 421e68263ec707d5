import type { Run } from "../../readings/index.ts";
import { writeNewest } from "./newest-of-minutes.ts";

/** A row of `packed_hours`. The minute columns have sixty places and are null when the hour has few readings. */
export interface PackedRow {
  channelId: number;
  hour: number;
  count: number;
  min: number;
  max: number;
  sum: number;
  /** Milliseconds from the hour's start, then from reading to reading. */
  steps: number[];
  values: Float64Array;
  /** Null when all are good. */
  statuses: Uint8Array | null;
  minutes: Minutes | null;
  /** The newest reading of each minute; null when the hour has few. */
  newest: Buffer | null;
}

/** Summaries of an hour's minutes; a minute without readings has count 0 and nulls. */
export interface Minutes {
  counts: number[];
  min: (number | null)[];
  max: (number | null)[];
  avg: (number | null)[];
}

const hourLength = 3_600_000;
const minuteLength = 60_000;
const good = 1;
/** Readings from which an hour gets minute summaries; below, reading it whole is as cheap. */
const minuteSummaryFrom = 600;

/** Readings from which an hour gets the newest of its minutes: they take a quarter of the space of so many readings. */
const newestFrom = 240;

interface Summary {
  count: number;
  min: number;
  max: number;
  sum: number;
}

const summaryOf = (values: Float64Array): Summary => {
  const summary = { count: values.length, min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY, sum: 0 };
  for (const value of values) {
    if (value < summary.min) summary.min = value;
    if (value > summary.max) summary.max = value;
    summary.sum += value;
  }
  return summary;
};

const minutesOf = (hour: number, { times, values }: Run): Minutes => {
  const summaries: (Summary | undefined)[] = Array.from({ length: 60 });
  for (let start = 0; start < times.length; ) {
    const minute = Math.floor(((times[start] ?? 0) - hour * hourLength) / minuteLength);
    const next = hour * hourLength + (minute + 1) * minuteLength;
    let end = start + 1;
    while (end < times.length && (times[end] ?? 0) < next) end += 1;
    summaries[minute] = summaryOf(values.subarray(start, end));
    start = end;
  }
  return {
    counts: summaries.map((summary) => summary?.count ?? 0),
    min: summaries.map((summary) => summary?.min ?? null),
    max: summaries.map((summary) => summary?.max ?? null),
    avg: summaries.map((summary) => (summary ? summary.sum / summary.count : null)),
  };
};

/** Packs a channel's readings of one hour, which are in the order of time and value. `hour` counts from the epoch. */
export const packedRow = (channelId: number, hour: number, run: Run): PackedRow => {
  const { times, values, statuses } = run;
  let previous = hour * hourLength;
  const steps = Array.from(times, (time) => {
    const step = time - previous;
    previous = time;
    return step;
  });
  return {
    channelId,
    hour,
    ...summaryOf(values),
    steps,
    values,
    statuses: statuses.every((status) => status === good) ? null : statuses,
    minutes: times.length >= minuteSummaryFrom ? minutesOf(hour, run) : null,
    newest: times.length >= newestFrom ? writeNewest(hour, run) : null,
  };
};
