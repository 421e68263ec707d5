import type { Result } from "@telltale/contract/call/call";
import type { dashboards } from "@telltale/contract/domains/dashboard/dashboards";
import { type Sparkline, sparklineSpan } from "@telltale/contract/domains/dashboard/tiles";
import { createLastLines, type Thinned } from "../../telemetry/index.ts";
import type { World } from "../../world.ts";
import type { Traced } from "./queries.ts";

type Needs = Pick<World, "pool" | "clock">;
type Lines = Result<typeof dashboards.sparklines>;

/** Most points of a line: two of each half minute. */
const mostPoints = 240;

/** How long an answer serves other consoles, in milliseconds: after a restart of the server all ask at once. */
const sharedFor = 5_000;

/** Dashboards of which it is known which channels they had. */
const mostKnown = 1_000;

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

/**
 * Longest time of which only the extremes may be known, milliseconds: a packed minute, or rows of half a minute. Where the unit changed within it, it is not
 * known of which unit they are.
 */
const longestBlur = 60_000;

const sparkline = ({ unitSince, ...traced }: Traced, line: Thinned | undefined, from: number): Sparkline => {
  const { times, values } = line ?? { times: [], values: [] };
  const first = unitSince === null ? 0 : times.findIndex((time) => time >= unitSince + longestBlur);
  const own = first < 0 ? times.length : first;
  return { ...traced, steps: stepsOf(times.slice(own), from), values: rounded(values.slice(own)) };
};

/** Lines as they were read once. */
interface Read {
  to: number;
  found: Promise<ReadonlyMap<number, Thinned>>;
  /** Answers with them, by channels and limits. */
  answers: Map<string, Lines>;
}

/** Reads the lines of channels, and answers for some of them. Lines and answers are kept for a moment. */
const createLines = ({ pool, clock }: Needs) => {
  const kept = new Map<string, Read>();
  const lastLines = createLastLines(pool);
  const read = (channelIds: readonly number[], to: number): Read => {
    const range = { from: to - sparklineSpan, to };
    const none = Promise.resolve(new Map<number, Thinned>());
    return {
      to,
      found: channelIds.length > 0 ? lastLines(channelIds, range, mostPoints) : none,
      answers: new Map(),
    };
  };
  return async (channelIds: readonly number[], traced: Promise<readonly Traced[]>): Promise<Lines> => {
    const now = clock.now();
    for (const [key, { to }] of kept) if (Math.abs(now - to) >= sharedFor) kept.delete(key);
    const key = JSON.stringify(channelIds);
    const lines = kept.get(key) ?? read(channelIds, now);
    kept.set(key, lines);
    // A failure is not kept: the next console asks again.
    lines.found.catch(() => kept.get(key) === lines && kept.delete(key));
    const [each, found] = await Promise.all([traced, lines.found]);
    const from = lines.to - sparklineSpan;
    const answerKey = JSON.stringify(each);
    const answer = lines.answers.get(answerKey) ?? {
      from,
      to: lines.to,
      lines: each.map((one) => sparkline(one, found.get(one.deviceChannelId), from)),
    };
    lines.answers.set(answerKey, answer);
    return answer;
  };
};

/**
 * Answers with the lines of a dashboard's channels, as far as the account sees them. While it is found out which channels these are, the lines of those it
 * had last are read already: a dashboard seldom changes, and under load each trip to the database waits. `ids` rejects where the account may not see it.
 */
export const createSparklines = (needs: Needs) => {
  const linesOf = createLines(needs);
  const last = new Map<string, readonly number[]>();
  return async (
    key: string,
    ids: Promise<readonly number[]>,
    traced: (channelIds: readonly number[]) => Promise<readonly Traced[]>,
  ): Promise<Lines> => {
    const expected = last.get(key);
    const early = expected && linesOf(expected, traced(expected));
    // Its failure counts only where its answer is asked for.
    early?.catch(() => undefined);
    const now = await ids;
    const isSame = expected?.length === now.length && expected.every((id, at) => id === now[at]);
    last.delete(key);
    last.set(key, now);
    for (const oldest of last.keys()) if (last.size > mostKnown) last.delete(oldest);
    return early && isSame ? early : linesOf(now, traced(now));
  };
};
