import type { Sample } from "./samples.ts";

/** A value is called held from this many report intervals on: a report may be a little late. */
const late = 1.5;

/** Report intervals of a channel, milliseconds. */
export interface Intervals {
  report: number;
  /** Between two reports of an unchanged value; 0 where every value is reported. */
  unchanged: number;
}

/**
 * The times of the readings whose value holds until the next one: the channel reports only changes, and its next report came later than the report
 * interval, and as an unchanged value's has to. `intervalsAt` says which intervals a reading's time had.
 */
export const heldTimes = (samples: readonly Sample[], intervalsAt: (time: number) => Intervals): Set<number> => {
  const held = new Set<number>();
  samples.forEach(([time, value], index) => {
    const next = samples[index + 1];
    if (value === null || !next || next[1] === null) return;
    const { report, unchanged } = intervalsAt(time);
    if (unchanged <= report) return;
    const silence = next[0] - time;
    if (silence > late * report && silence <= late * unchanged) held.add(time);
  });
  return held;
};

/** The line as it is drawn: a held value is flat up to the next reading. */
export const withHeld = (samples: readonly Sample[], held: ReadonlySet<number>): Sample[] =>
  samples.flatMap((sample, index): Sample[] => {
    const next = samples[index + 1];
    return next && held.has(sample[0]) ? [sample, [next[0] - 1, sample[1]]] : [sample];
  });

/** The readings whose value is held for at least so many milliseconds. */
export const heldFor = (samples: readonly Sample[], held: ReadonlySet<number>, least: number): Sample[] =>
  samples.filter(([time], index) => held.has(time) && (samples[index + 1]?.[0] ?? time) - time >= least);
