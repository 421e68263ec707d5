import type { Sample, Window } from "./samples.ts";

/** Ends and step of a value axis. */
export interface ValueScale {
  min: number;
  max: number;
  step: number;
  /** Decimals that the steps need. */
  decimals: number;
}

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

/** How far away a threshold may be to be included, in multiples of the values' spread: the nearest one, and any other. */
const reach = { nearest: 4, other: 1 };

/** The thresholds that the axis includes: a distant one would flatten the line. */
const nearby = (thresholds: number[], { low, high }: { low: number; high: number }, span: number): number[] => {
  const distance = (value: number) => Math.max(0, low - value, value - high);
  return thresholds
    .toSorted((a, b) => distance(a) - distance(b))
    .filter((value, index) => distance(value) <= span * (index === 0 ? reach.nearest : reach.other));
};

/** Approximate number of steps of an axis. */
const most = 6;

/** A round axis around the values and the nearby thresholds; `least` is the smallest meaningful step. */
export const valueScale = (
  found: { low: number; high: number } | undefined,
  thresholds: number[],
  least = 0,
): ValueScale => {
  if (!found) return { min: 0, max: 1, step: 0.5, decimals: 1 };
  const flat = found.high === found.low;
  // A tenth of a constant value, so that the axis of a positive one does not extend below zero, which is meaningless for most quantities.
  const span = flat ? Math.abs(found.high) * 0.1 || 0.5 : found.high - found.low;
  const near = nearby(thresholds, found, span);
  const low = Math.min(found.low - (flat ? span : 0), ...near);
  const high = Math.max(found.high + (flat ? span : 0), ...near);
  const air = (high - low) * 0.02;
  const step = roundStep(Math.max(least, (high - low + 2 * air) / most));
  const floor = found.low >= 0 && low >= 0 && low - air < 0 ? 0 : Math.floor((low - air) / step) * step;
  const ceiling = Math.ceil((high + air) / step) * step;
  const decimals = decimalsOf(step);
  const exact = (value: number) => Number(value.toFixed(decimals));
  return { min: exact(floor), max: exact(ceiling), step: exact(step), decimals };
};
