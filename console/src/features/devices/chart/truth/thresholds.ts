import type { Threshold } from "../../../../domain/channel-settings.ts";
import type { Sample, Window } from "../../../../domain/samples.ts";

/** Whether a limit was in force at a moment. */
export const isInForce = ({ during }: Threshold, time: number): boolean =>
  !during || (time >= during.from && time < during.until);

/** The limits that were in force at any time of the window. */
export const limitsIn = (thresholds: readonly Threshold[], { start, end }: Window): Threshold[] =>
  thresholds.filter(({ during }) => !during || (during.from < end && during.until > start));

const exceeds = (value: number | null, { value: limit, high }: Threshold): boolean =>
  value !== null && (high ? value >= limit : value <= limit);

/** Whether a reading is in the alarm range of the threshold, to which the threshold itself belongs, while that was in force. */
export const isBeyond = ([time, value]: Sample, threshold: Threshold): boolean =>
  isInForce(threshold, time) && exceeds(value, threshold);

/** The limits of one side that a line reaches first, oldest first, each while no nearer one was in force. */
export const nearestLimits = (thresholds: readonly Threshold[], high: boolean): Threshold[] => {
  const own = thresholds
    .filter((each) => each.high === high)
    .toSorted((a, b) => (high ? a.value - b.value : b.value - a.value));
  const changes = own.flatMap(({ during }) => (during ? [during.from, during.until] : []));
  const edges = [...new Set([Number.NEGATIVE_INFINITY, ...changes, Number.POSITIVE_INFINITY])].sort((a, b) => a - b);
  return edges.slice(1).flatMap((until, index): Threshold[] => {
    const from = edges[index] ?? until;
    const nearest = own.find((each) => isInForce(each, from));
    return nearest ? [{ ...nearest, during: { from, until } }] : [];
  });
};

/** Where the straight line between two samples crosses the threshold. */
const crossing = (from: Sample, to: Sample, limit: number): Sample => {
  const [start, a] = from;
  const [end, b] = to;
  if (a === null || b === null || a === b) return [end, limit];
  return [start + ((end - start) * (limit - a)) / (b - a), limit];
};

const bridge = (from: Sample, to: Sample, threshold: Threshold, stepped: boolean): Sample[] => {
  const leaves = exceeds(from[1], threshold);
  const enters = exceeds(to[1], threshold);
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

/** The value of a line between two samples. */
const valueAt = ([start, a]: Sample, [end, b]: Sample, time: number, stepped: boolean): number | null => {
  if (a === null || b === null) return null;
  return stepped ? a : a + ((b - a) * (time - start)) / (end - start);
};

/** The samples of a line while a limit was in force, with its values at the moments of the changes. */
const whileInForce = (samples: Sample[], { during }: Threshold, stepped: boolean): Sample[] => {
  if (!during) return samples;
  const at = (moment: number): Sample[] => {
    const after = samples.findIndex(([time]) => time >= moment);
    const [before, next] = [samples[after - 1], samples[after]];
    return before && next ? [[moment, valueAt(before, next, moment, stepped)]] : [];
  };
  const inside = samples.filter(([time]) => time >= during.from && time < during.until);
  const isGoingOn = samples.some(([time]) => time >= during.until);
  return [
    ...(inside[0]?.[0] === during.from ? [] : at(during.from)),
    ...inside,
    ...(isGoingOn ? [...at(during.until), [during.until, null] satisfies Sample] : []),
  ];
};

/**
 * The part of a line beyond a threshold while that was in force: the samples beyond it and the crossing points, each span followed by an empty sample.
 * A stepped line has no slope: its spans begin and end with a step.
 */
export const partBeyond = (line: Sample[], threshold: Threshold, stepped = false): Sample[] => {
  const samples = whileInForce(line, threshold, stepped);
  return samples.flatMap((sample, index): Sample[] => {
    const next = samples[index + 1];
    const own: Sample[] = exceeds(sample[1], threshold) ? [sample] : [];
    const broken: Sample[] = own.length > 0 && next?.[1] === null ? [[sample[0], null]] : [];
    return [...own, ...broken, ...(next ? bridge(sample, next, threshold, stepped) : [])];
  });
};

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
