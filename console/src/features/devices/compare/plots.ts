import type { Threshold } from "../../../domain/channel-settings.ts";
import type { Sample } from "../../../domain/samples.ts";
import type { ChartModel, Limits } from "../chart/drawing/chart-model.ts";
import type { Field, Point } from "../chart/drawing/free-place.ts";
import { roomOf } from "../chart/drawing/layout.ts";
import { drawnLine } from "../chart/drawing/series.ts";
import { type Place, placing } from "../chart/drawing/svg.ts";
import {
  axisValue,
  digitalScale,
  extremes,
  includedLimits,
  type ValueScale,
  valueScale,
} from "../chart/drawing/value-scale.ts";
import { limitsIn } from "../chart/truth/thresholds.ts";

/** A line of the page: a channel with its readings. */
export interface Line {
  channelId: number;
  /** Place among the channels, from 0. */
  place: number;
  deviceName: string;
  model: ChartModel;
}

/** Whether there is anything to draw. */
export const hasReadings = ({ samples }: ChartModel): boolean => samples.some(([, value]) => value !== null);

/** A name in so many characters: shortened in the middle, because its end tells it from others. */
export const shortened = (name: string, most: number): string => {
  if (name.length <= most) return name;
  const tail = Math.floor((most - 1) / 2);
  return `${name.slice(0, most - 1 - tail).trimEnd()}…${name.slice(-tail).trimStart()}`;
};

/** Lines of one unit, with their axis. */
export interface Axis {
  unit: string;
  isSwitch: boolean;
  scale: ValueScale;
  lines: Line[];
}

/** A value on its axis. */
export const axisText = ({ isSwitch, scale }: Axis, value: number): string =>
  isSwitch ? (value > 0 ? "ON" : "OFF") : axisValue(value, scale);

/** Least room for the values at the left of a plot, for those of its second axis, and before the names where there is none. */
const sides = { left: 56, right: 48, none: 12 };

/** Room for the values at both sides of the plots. */
export const roomBeside = (axes: readonly Axis[]): { left: number; right: number } => {
  const rooms = axes.map((axis) => {
    const { min, max } = axis.scale;
    return roomOf({ figures: [min, max].map((value) => axisText(axis, value)), unit: axis.unit }, 0);
  });
  const widest = (side: 0 | 1) => Math.max(...rooms.filter((_, at) => at % 2 === side), 0);
  return {
    left: Math.max(sides.left, widest(0)),
    right: axes.length > 1 ? Math.max(sides.right, widest(1) + sides.none) : sides.none,
  };
};

/** A plot with one axis at each side: two units at most. */
export interface Plot {
  field: Field;
  /** Where the names of its lines begin. */
  names: number;
  axes: Axis[];
}

const unitOf = ({ model: { kind, unit } }: Line): string => (kind === "switch" ? "switch" : unit);

/** Lowest and highest value of lines of one unit. */
const extremesOf = (lines: readonly Line[]): { low: number; high: number } | undefined => {
  const found = lines.flatMap(({ model }) => extremes(model.samples, model.range) ?? []);
  if (found.length === 0) return undefined;
  return { low: Math.min(...found.map(({ low }) => low)), high: Math.max(...found.map(({ high }) => high)) };
};

const thresholdsOf = (lines: readonly Line[]): Threshold[] =>
  lines.flatMap(({ model }) => limitsIn(model.thresholds, model.range));

const axisOf = (lines: Line[], limits: Limits): Axis => {
  const [first] = lines;
  const isSwitch = first?.model.kind === "switch";
  const found = extremesOf(lines);
  return {
    unit: isSwitch ? "" : (first?.model.unit ?? ""),
    isSwitch,
    scale: isSwitch ? digitalScale : valueScale(found, includedLimits(thresholdsOf(lines), limits, found)),
    lines,
  };
};

/** The lines with readings by their unit, in the order of the channels: an axis of a unit without any would be made up. */
const byUnit = (lines: readonly Line[]): Line[][] => [
  ...Map.groupBy(
    lines.filter(({ model }) => hasReadings(model)),
    unitOf,
  ).values(),
];

/** The axes: one a unit. */
export const axesOf = (lines: readonly Line[], limits: Limits): Axis[] =>
  byUnit(lines).map((own) => axisOf(own, limits));

/** Whether axes that include the limits near their lines include all of them. */
export const areLimitsNear = (lines: readonly Line[]): boolean =>
  byUnit(lines).every((own) => {
    const limits = thresholdsOf(own);
    return includedLimits(limits, "near", extremesOf(own)).length === limits.length;
  });

/** Distance between two plots, pixels. */
const between = 34;

/** The plots within a field, one above the other: more than two units do not fit the sides of one. */
export const plotsOf = (axes: readonly Axis[], field: Field): Plot[] => {
  const count = Math.max(1, Math.ceil(axes.length / 2));
  const height = (field.bottom - field.top - (count - 1) * between) / count;
  return Array.from({ length: count }, (_, at) => {
    const top = field.top + at * (height + between);
    const own = axes.slice(2 * at, 2 * at + 2);
    return { field: { ...field, top, bottom: top + height }, names: field.right + roomBeside(own).right, axes: own };
  });
};

/** Where the values of a line of the plot stand. */
export const placeOf = ({ model }: Line, axis: Axis, plot: Plot): Place => placing(model.range, axis.scale, plot.field);

/** A line in pixels, for what must not cover it. */
export const pixelsOf = (line: Line, axis: Axis, plot: Plot): Point[][] => {
  const { x, y } = placeOf(line, axis, plot);
  const parts: Point[][] = [[]];
  for (const [time, value] of drawnLine(line.model)) {
    if (value === null) {
      parts.push([]);
      continue;
    }
    const part = parts.at(-1);
    const before = part?.at(-1);
    if (line.model.kind !== "slope" && before) part?.push([x(time), before[1]]);
    part?.push([x(time), y(value)]);
  }
  return parts;
};

/** The reading that holds at a moment: the last one before it, or the nearer one of a sloping line; undefined where there are no data. */
export const readingAt = ({ samples, kind, gaps, held }: ChartModel, time: number): Sample | undefined => {
  if (gaps.some(({ start, end }) => time > start && time < end)) return undefined;
  const index = samples.findLastIndex(([at, value]) => at <= time && value !== null);
  const before = samples[index];
  const next = samples.slice(index + 1).find(([, value]) => value !== null);
  if (!before) return next;
  const isNearer = next && kind === "slope" && !held.has(before[0]) && next[0] - time < time - before[0];
  return isNearer ? next : before;
};

/** Distance of two labels at the ends of lines, pixels. */
export const labelStep = 38;
