import { isolatedSamples, type Pace, type Sample } from "./samples.ts";

/** A value is called held from this many report intervals on: a report may be a little late. */
const late = 1.5;

/** Report intervals of a channel, milliseconds. */
export interface Intervals {
  report: number;
  /** Between two reports of an unchanged value; 0 where every value is reported. */
  unchanged: number;
}

/** Report intervals from a moment on, epoch milliseconds. */
export interface TimedIntervals extends Intervals {
  since: number;
}

const minute = 60_000;

/** Maximum milliseconds between two reports of a working device, whether the value changed or not; a minute where the settings do not say. */
const longestReport = ({ report, unchanged }: Intervals): number => Math.max(report, unchanged) || minute;

/** How often these intervals, oldest first, let a channel report. Where something else was changed the pace before goes on. */
export const pacesAt = (known: readonly TimedIntervals[]): Pace[] => {
  const paces = known.map((each) => ({ since: each.since, expected: longestReport(each) }));
  return paces.filter(({ expected }, index) => expected !== paces[index - 1]?.expected);
};

/** Which of these intervals, oldest first, a moment had; the first ones also before they began. */
export const intervalsIn =
  (known: readonly TimedIntervals[]) =>
  (time: number): Intervals =>
    known.findLast(({ since }) => since <= time) ?? known[0] ?? { report: 0, unchanged: 0 };

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

/** Readings that no line shows, and those at which a value begins that is held for at least so many milliseconds. */
export const standing = (
  { samples, held }: { samples: Sample[]; held: ReadonlySet<number> },
  least: number,
): Sample[] => [...isolatedSamples(samples), ...heldFor(samples, held, least)].sort(([a], [b]) => a - b);
