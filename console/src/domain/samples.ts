/** One point of a line: epoch milliseconds and the value, null where the line breaks. */
export type Sample = [time: number, value: number | null];

/** A time window in epoch milliseconds, both ends included. */
export interface Window {
  start: number;
  end: number;
}

const day = 24 * 60 * 60 * 1000;

/** The beginning of a moment's day, UTC: what is asked for from there on need not be asked for anew while a window moves on. */
export const dayOf = (time: number): number => Math.floor(time / day) * day;

/** Pairs the two columns of a chart's answer. */
export const samplesOf = (chart: { dataXs: number[]; dataYs: number[] }): Sample[] =>
  chart.dataXs.map((time, index) => [time, chart.dataYs[index] ?? null]);

/** Whether a chart's answer has fewer points than there are readings. */
export const isThinnedLine = ({ count, dataXs }: { count: number; dataXs: number[] }): boolean => count > dataXs.length;

/** A gap is longer than this many usual steps, and than this many expected report intervals. */
const silence = 3;

/** Up to this many samples are the readings themselves, one of which may be far from the others. */
const few = 20;

/** The step that four of five neighbours keep; half of them where there are few. */
const usualStep = (samples: readonly Sample[]): number => {
  const steps = samples.slice(1).map(([time], index) => time - (samples[index]?.[0] ?? time));
  steps.sort((a, b) => a - b);
  return steps[samples.length <= few ? Math.floor((steps.length - 1) / 2) : Math.floor(steps.length * 0.8)] ?? 0;
};

const longestOf = (expected: number, usual: number): number => silence * Math.max(expected, usual);

const readingsOf = (samples: readonly Sample[]): Sample[] => samples.filter(([, value]) => value !== null);

/** From when on how many milliseconds between two reports are expected, at most. */
export interface Pace {
  since: number;
  expected: number;
}

/** Longest silence between two moments that is no gap. */
export type LongestSilence = (from: number, to: number) => number;

/**
 * What is a gap in a line whose channel was to report at these paces, oldest first; the first counts from the line's beginning. Each pace has the usual
 * step of its own readings, unless they are too few to tell. Across a change the slower pace counts: a device learns of it late.
 */
export const longestSilence = (samples: readonly Sample[], paces: readonly Pace[]): LongestSilence => {
  const readings = readingsOf(samples);
  const usual = usualStep(readings);
  // Where no settings are known the line's own steps tell.
  const known = paces.length > 0 ? paces : [{ since: 0, expected: 0 }];
  const parts = known.map(({ since, expected }, index) => {
    const from = index === 0 ? Number.NEGATIVE_INFINITY : since;
    const until = known[index + 1]?.since ?? Number.POSITIVE_INFINITY;
    const own = readings.filter(([time]) => time >= from && time < until);
    return { from, until, longest: longestOf(expected, own.length > few ? usualStep(own) : usual) };
  });
  return (from, to) =>
    parts.reduce((most, part) => (part.from <= to && part.until > from ? Math.max(most, part.longest) : most), 0);
};

/**
 * Breaks the line where the device was silent, by an empty sample in the middle of each gap. A gap is detected by the expected milliseconds between
 * two reports and by the usual step of this line, because a device may report more slowly than its settings say, and a line of a long range contains
 * only some of its readings.
 */
export const withGaps = (samples: Sample[], paces: readonly Pace[]): Sample[] => {
  const longest = longestSilence(samples, paces);
  return samples.flatMap((sample, index): Sample[] => {
    const next = samples[index + 1];
    if (!next || next[0] - sample[0] <= longest(sample[0], next[0])) return [sample];
    return [sample, [(sample[0] + next[0]) / 2, null]];
  });
};

/** The samples without a neighbour to draw a line to. */
export const isolatedSamples = (samples: Sample[]): Sample[] =>
  samples.filter(
    ([, value], index) =>
      value !== null && (samples[index - 1]?.[1] ?? null) === null && (samples[index + 1]?.[1] ?? null) === null,
  );

/** The parts of a line: the whole range at low resolution, a part of it at high resolution, and live readings. Gaps are marked. */
export interface Parts {
  overview: Sample[];
  /** It covers only the time from its first to its last sample. */
  detail?: Sample[] | undefined;
  /** Live readings, oldest first. */
  live: Sample[];
}

const withDetail = (overview: Sample[], detail: Sample[] = []): Sample[] => {
  const start = detail[0]?.[0];
  const end = detail.at(-1)?.[0];
  if (start === undefined || end === undefined) return overview;
  return [...overview.filter(([time]) => time < start), ...detail, ...overview.filter(([time]) => time > end)];
};

/** Merges the parts into one line: detail replaces the overview where it covers it, live readings follow the newest stored one. */
export const mergeParts = ({ overview, detail, live }: Parts, paces: readonly Pace[]): Sample[] => {
  const stored = withDetail(overview, detail);
  const newest = stored.at(-1);
  const fresh = live.filter(([time]) => time > (newest?.[0] ?? Number.NEGATIVE_INFINITY));
  if (fresh.length === 0) return stored;
  return newest ? [...stored, ...withGaps([newest, ...fresh], paces).slice(1)] : withGaps(fresh, paces);
};
