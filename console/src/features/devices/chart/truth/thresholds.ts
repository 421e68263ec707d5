import type { Threshold } from "../../../../domain/channel-settings.ts";
import type { Sample } from "../../../../domain/samples.ts";

/** Whether a value is in the alarm range of the threshold, to which the threshold itself belongs. */
export const isBeyond = (value: number | null, { value: limit, high }: Threshold): value is number =>
  value !== null && (high ? value >= limit : value <= limit);

/** Where the straight line between two samples crosses the threshold. */
const crossing = (from: Sample, to: Sample, limit: number): Sample => {
  const [start, a] = from;
  const [end, b] = to;
  if (a === null || b === null || a === b) return [end, limit];
  return [start + ((end - start) * (limit - a)) / (b - a), limit];
};

const bridge = (from: Sample, to: Sample, threshold: Threshold, stepped: boolean): Sample[] => {
  const leaves = isBeyond(from[1], threshold);
  const enters = isBeyond(to[1], threshold);
  if (leaves === enters || from[1] === null || to[1] === null) return [];
  if (stepped)
    return leaves
      ? [
          [to[0], from[1]],
          [to[0], null],
        ]
      : [];
  const at = crossing(from, to, threshold.value);
  return leaves ? [at, [at[0], null]] : [at];
};

/**
 * The part of a line beyond a threshold: the samples beyond it and the crossing points, each span followed by an empty sample. A stepped line has no
 * slope: its spans begin and end with a step.
 */
export const partBeyond = (samples: Sample[], threshold: Threshold, stepped = false): Sample[] =>
  samples.flatMap((sample, index): Sample[] => {
    const next = samples[index + 1];
    const own: Sample[] = isBeyond(sample[1], threshold) ? [sample] : [];
    const broken: Sample[] = own.length > 0 && next?.[1] === null ? [[sample[0], null]] : [];
    return [...own, ...broken, ...(next ? bridge(sample, next, threshold, stepped) : [])];
  });

/** When the line was beyond the threshold and how far: the spans, and the extreme value. */
export interface Excess {
  stretches: { start: number; end: number }[];
  worst: number;
}

/** Sums up a part beyond a threshold; undefined when the line never was beyond it. */
export const excessOf = (part: Sample[], { high }: Threshold): Excess | undefined => {
  const stretches: Excess["stretches"] = [];
  let worst: number | undefined;
  let open: Excess["stretches"][number] | undefined;
  for (const [time, value] of part) {
    if (value === null) {
      open = undefined;
      continue;
    }
    worst = worst === undefined || (high ? value > worst : value < worst) ? value : worst;
    if (open) open.end = time;
    else {
      open = { start: time, end: time };
      stretches.push(open);
    }
  }
  return worst === undefined ? undefined : { stretches, worst };
};
