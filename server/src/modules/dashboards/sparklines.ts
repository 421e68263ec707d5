import type { Result } from "@telltale/contract/call/call";
import type { dashboards } from "@telltale/contract/domains/dashboard/dashboards";
import { type Sparkline, sparklineSpan } from "@telltale/contract/domains/dashboard/tiles";
import { lastLines, type Thinned } from "../../telemetry/index.ts";
import type { World } from "../../world.ts";
import type { Traced } from "./queries.ts";

type Lines = Result<typeof dashboards.sparklines>;

/** Most points of a line: two of each half minute. */
const mostPoints = 240;

/** How long an answer serves other consoles, in milliseconds: after a restart of the server all ask at once. */
const sharedFor = 5_000;

/** Parts of its height that a line is drawn in, at most: finer differences of values are not sent. */
const resolution = 1000;

/** Values with the digits that a drawing of this line can show. */
const rounded = (values: readonly number[]): number[] => {
  const [min, max] = [Math.min(...values), Math.max(...values)];
  const largest = Math.max(Math.abs(min), Math.abs(max));
  const digits = max > min ? Math.ceil(Math.log10((largest / (max - min)) * resolution)) + 1 : 15;
  const precision = Math.min(15, Math.max(3, digits));
  return values.map((value) => Number(value.toPrecision(precision)));
};

/** Whole seconds from point to point, without the sum of what was rounded off. */
const stepsOf = (times: readonly number[], from: number): number[] => {
  let before = 0;
  return times.map((time) => {
    const at = Math.round((time - from) / 1000);
    const step = at - before;
    before = at;
    return step;
  });
};

const sparkline = ({ unitSince, ...traced }: Traced, line: Thinned | undefined, from: number): Sparkline => {
  const { times, values } = line ?? { times: [], values: [] };
  const first = unitSince === null ? 0 : times.findIndex((time) => time >= unitSince);
  const own = first < 0 ? times.length : first;
  return { ...traced, steps: stepsOf(times.slice(own), from), values: rounded(values.slice(own)) };
};

/** Reads sparklines. Answers are kept for a moment by their channels: who may see those is decided before. */
export const createSparklines = ({ pool, clock }: Pick<World, "pool" | "clock">) => {
  const kept = new Map<string, { at: number; lines: Promise<Lines> }>();
  const read = async (traced: readonly Traced[], to: number): Promise<Lines> => {
    const from = to - sparklineSpan;
    const ids = traced.map(({ deviceChannelId }) => deviceChannelId);
    const found = ids.length > 0 ? await lastLines(pool, ids, { from, to }, mostPoints) : new Map<number, Thinned>();
    return { from, to, lines: traced.map((each) => sparkline(each, found.get(each.deviceChannelId), from)) };
  };
  return (traced: readonly Traced[]): Promise<Lines> => {
    const now = clock.now();
    for (const [key, { at }] of kept) if (Math.abs(now - at) >= sharedFor) kept.delete(key);
    const key = JSON.stringify(traced);
    const lines = kept.get(key)?.lines ?? read(traced, now);
    kept.set(key, { at: kept.get(key)?.at ?? now, lines });
    // A failure is not kept: the next console asks again.
    lines.catch(() => kept.delete(key));
    return lines;
  };
};
