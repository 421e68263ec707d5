import type { LongestSilence, Sample, Window } from "../../../../domain/samples.ts";

interface Extent {
  range: Window;
  /** Until when the readings are known, epoch milliseconds. */
  known: number;
  longest: LongestSilence;
}

/** The windows without data: between the parts of a line, before the first reading and after the last. */
export const gapsOf = (samples: readonly Sample[], { range, known, longest }: Extent): Window[] => {
  const gaps: Window[] = [];
  let last = range.start;
  let isBroken = false;
  for (const [time, value] of samples) {
    if (value === null) {
      isBroken = true;
      continue;
    }
    const isFirst = last === range.start;
    if (isFirst ? time - last > longest(last, time) : isBroken) gaps.push({ start: last, end: time });
    last = time;
    isBroken = false;
  }
  const end = Math.min(range.end, known);
  if (last > range.start && end - last > longest(last, end)) gaps.push({ start: last, end });
  return gaps.filter((gap) => gap.end > range.start && gap.start < range.end);
};
