import type { Sample, Window } from "../../../../domain/samples.ts";
import { withDecimals } from "../../../../ui/format/decimals.ts";

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

const decimalsOf = (step: number): number => {
  for (let decimals = 0; decimals < 9; decimals += 1) {
    if (Math.abs(Math.round(step * 10 ** decimals) - step * 10 ** decimals) < 1e-6) return decimals;
  }
  return 9;
};

/** The thresholds within one span of the values: a distant one would flatten the line. */
export const nearLimits = (thresholds: number[], { low, high }: { low: number; high: number }): number[] => {
  const span = spanOf({ low, high });
  return thresholds.filter((value) => Math.max(0, low - value, value - high) <= span);
};

/** The spread of the values; a tenth of a constant one, so that the axis of a positive one does not extend below zero, which is meaningless for most quantities. */
const spanOf = ({ low, high }: { low: number; high: number }): number =>
  high === low ? Math.abs(high) * 0.1 || 0.5 : high - low;

/** The axis of a single reading, which stands in its middle. */
export const scaleAround = (value: number, least = 0): ValueScale => {
  const step = roundStep(Math.max(least, Math.abs(value) * 0.1 || 0.5));
  const decimals = Math.max(decimalsOf(step), Math.min(3, decimalsOf(value)));
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
  const flat = found.high === found.low;
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
