import type { Threshold } from "../../../../domain/channel-settings.ts";
import type { Sample, Window } from "../../../../domain/samples.ts";
import { withDecimals } from "../../../../ui/format/decimals.ts";
import type { Limits } from "./chart-model.ts";

/** Ends and step of a value axis. */
export interface ValueScale {
  min: number;
  max: number;
  step: number;
  /** Decimals that the steps need. */
  decimals: number;
}

/** From this magnitude on a value of an axis is written with an exponent. */
const largest = 1e12;

/** A value on an axis, with the digits in which its steps differ. */
export const axisValue = (value: number, { step, decimals }: ValueScale): string => {
  const size = Math.abs(value);
  if (size < largest) return withDecimals(value, decimals);
  return value.toExponential(Math.min(15, Math.max(0, Math.ceil(Math.log10(size / step)))));
};

/** The axis of a digital channel: OFF and ON with padding. */
export const digitalScale: ValueScale = { min: -0.15, max: 1.15, step: 1, decimals: 0 };

/** Lowest and highest value in the window, including where the line enters and leaves it. */
export const extremes = (samples: Sample[], { start, end }: Window): { low: number; high: number } | undefined => {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const [time, value] of samples) {
    if (value === null || time < start || time > end) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low <= high ? { low, high } : undefined;
};

const roundStep = (rough: number): number => {
  const power = 10 ** Math.floor(Math.log10(rough));
  const share = rough / power;
  const factor = [1, 2, 2.5, 5, 10].find((candidate) => share <= candidate + 1e-9) ?? 10;
  return factor * power;
};

/** Most decimals of an axis: what a double of a size around 1 holds. */
const mostDecimals = 15;

const decimalsOf = (step: number): number => {
  for (let decimals = 0; decimals < mostDecimals; decimals += 1) {
    const scaled = step * 10 ** decimals;
    if (Math.abs(Math.round(scaled) - scaled) <= 1e-6 * scaled) return decimals;
  }
  return mostDecimals;
};

/** Whether the values differ by no more than calculating with doubles makes of one: such a line is flat. */
const isFlat = ({ low, high }: { low: number; high: number }): boolean =>
  high - low <= 1e-12 * Math.max(Math.abs(low), Math.abs(high));

/** The thresholds within one span of the values: a distant one would flatten the line. */
export const nearLimits = (thresholds: number[], { low, high }: { low: number; high: number }): number[] => {
  const span = spanOf({ low, high });
  return thresholds.filter((value) => Math.max(0, low - value, value - high) <= span);
};

/** The values of the limits that the axis includes. */
export const includedLimits = (
  thresholds: readonly Threshold[],
  limits: Limits,
  found: { low: number; high: number } | undefined,
): number[] => {
  const values = thresholds.map(({ value }) => value);
  if (limits === "near" && found) return nearLimits(values, found);
  return limits === "none" ? [] : values;
};

/** The spread of the values; a tenth of a constant one, so that the axis of a positive one does not extend below zero, which is meaningless for most quantities. */
const spanOf = (found: { low: number; high: number }): number =>
  isFlat(found) ? Math.abs(found.high) * 0.1 || 0.5 : found.high - found.low;

/** The axis of a single reading, which stands in its middle. */
export const scaleAround = (value: number, least = 0): ValueScale => {
  const step = roundStep(Math.max(least, Math.abs(value) * 0.1 || 0.5));
  const decimals = Math.max(decimalsOf(step), Math.min(3, decimalsOf(Math.abs(value))));
  return { min: value - step, max: value + step, step, decimals };
};

/** Approximate number of steps of an axis. */
const most = 6;

/** A round axis around the values and the included limits; `least` is the smallest meaningful step. */
export const valueScale = (
  found: { low: number; high: number } | undefined,
  included: number[],
  least = 0,
): ValueScale => {
  if (!found) return { min: 0, max: 1, step: 0.5, decimals: 1 };
  const flat = isFlat(found);
  const span = spanOf(found);
  const low = Math.min(found.low - (flat ? span : 0), ...included);
  const high = Math.max(found.high + (flat ? span : 0), ...included);
  const air = (high - low) * 0.02;
  const step = roundStep(Math.max(least, (high - low + 2 * air) / most));
  const floor = found.low >= 0 && low >= 0 && low - air < 0 ? 0 : Math.floor((low - air) / step) * step;
  const ceiling = Math.ceil((high + air) / step) * step;
  const decimals = decimalsOf(step);
  const exact = (value: number) => Number(value.toFixed(decimals));
  return { min: exact(floor), max: exact(ceiling), step: exact(step), decimals };
};
