import { exactDuration } from "../../../../domain/alerts/duration.ts";
import { withHeld } from "../../../../domain/held.ts";
import type { Sample, Window } from "../../../../domain/samples.ts";
import { type ChartModel, viewOf, type Zoom } from "../drawing/chart-model.ts";

/** A value with its time. */
export interface At {
  time: number;
  value: number;
}

/** What a window holds. */
export interface Statistics {
  /** Points of the line: its readings, unless the line was thinned. */
  points: number;
  min: At | undefined;
  max: At | undefined;
  /** Weighted by time. */
  mean: number | undefined;
  /** Milliseconds with an open alert, and those without data. */
  inAlarm: number;
  noData: number;
  /** There were more alerts than are counted in the time in alarm. */
  isAtLeast: boolean;
  length: number;
}

/** The part of a segment in the window, with its mean value; undefined when there is none. */
const partOf = (
  from: Sample,
  to: Sample,
  view: Window,
  isStepped: boolean,
): { length: number; mean: number } | undefined => {
  const [start, a] = from;
  const [end, b] = to;
  if (a === null || b === null || end <= start) return undefined;
  const [left, right] = [Math.max(start, view.start), Math.min(end, view.end)];
  if (right <= left) return undefined;
  const at = (time: number) => (isStepped ? a : a + ((b - a) * (time - start)) / (end - start));
  return { length: right - left, mean: (at(left) + at(right)) / 2 };
};

const meanOf = (samples: readonly Sample[], view: Window, isStepped: boolean): number | undefined => {
  let [sum, length] = [0, 0];
  samples.forEach((sample, index) => {
    const before = samples[index - 1];
    const part = before && partOf(before, sample, view, isStepped);
    if (!part) return;
    sum += part.mean * part.length;
    length += part.length;
  });
  if (length > 0) return sum / length;
  const values = samples.flatMap(([time, value]) =>
    value !== null && time >= view.start && time <= view.end ? [value] : [],
  );
  return values.length > 0 ? values.reduce((all, value) => all + value, 0) / values.length : undefined;
};

/** Milliseconds of the window that any of the spans covers. */
const covered = (spans: readonly Window[], view: Window): number => {
  let [sum, until] = [0, view.start];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const [from, to] = [Math.max(start, until), Math.min(end, view.end)];
    if (to <= from) continue;
    sum += to - from;
    until = to;
  }
  return sum;
};

/** The statistics of what is in view. */
export const statisticsOf = (model: ChartModel, zoom: Zoom): Statistics => {
  const view = viewOf(model.range, zoom);
  let [points, min, max]: [number, At | undefined, At | undefined] = [0, undefined, undefined];
  for (const [time, value] of model.samples) {
    if (value === null || time < view.start || time > view.end) continue;
    points += 1;
    if (!min || value < min.value) min = { time, value };
    if (!max || value > max.value) max = { time, value };
  }
  return {
    points,
    min,
    max,
    mean: meanOf(withHeld(model.samples, model.held), view, model.kind !== "slope"),
    inAlarm: covered(model.spans, view),
    noData: covered(model.gaps, view),
    isAtLeast: model.alertsSince !== undefined && view.start < model.alertsSince,
    length: view.end - view.start,
  };
};

/** The time in alarm as text: 'at least' where there were more alerts than are loaded, with the reason. */
export const alarmTimeOf = (
  { zone, alertsSince }: Pick<ChartModel, "zone" | "alertsSince">,
  { inAlarm, isAtLeast }: Pick<Statistics, "inAlarm" | "isAtLeast">,
): { text: string; reason: string | undefined } => {
  const text = exactDuration(inAlarm);
  if (!isAtLeast || alertsSince === undefined) return { text, reason: undefined };
  const reason = `There were more alerts than are counted and marked: only those since ${zone.stamp(alertsSince)} are`;
  return { text: `at least ${text}`, reason };
};
