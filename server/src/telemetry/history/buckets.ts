/** A chart line: points in time order. `xs` are epoch milliseconds; `count` is the number of readings it represents. */
export interface Line {
  xs: number[];
  ys: number[];
  count: number;
}

/** Minimum and maximum of a time bucket. Their times are exact when they come from readings, else they lie inside the bucket. */
export interface Extremes {
  min: number;
  max: number;
  minTs: number;
  maxTs: number;
  count: number;
}

/** Aggregates readings and summaries into time buckets of equal length, keeping the extremes of each. */
export interface Buckets {
  addReading(ts: number, value: number): void;
  /** Adds a summary of the readings from `ts` on for `length` milliseconds. */
  addSummary(ts: number, length: number, min: number, max: number, count: number): void;
  /** Two points per bucket; one when minimum and maximum are equal. */
  line(): Line;
}

const widen = (known: Extremes | undefined, added: Extremes): Extremes => {
  if (!known) return added;
  const [low, high] = [added.min < known.min ? added : known, added.max > known.max ? added : known];
  return { min: low.min, minTs: low.minTs, max: high.max, maxTs: high.maxTs, count: known.count + added.count };
};

/** `from` and `to` in epoch milliseconds; at most `maxPoints` points, so half as many buckets. */
export const createBuckets = (from: number, to: number, maxPoints: number): Buckets => {
  const count = Math.max(1, Math.floor(maxPoints / 2));
  const length = Math.max(1, (to - from + 1) / count);
  const buckets: (Extremes | undefined)[] = [];
  const add = (ts: number, extremes: Extremes): void => {
    const at = Math.min(count - 1, Math.max(0, Math.floor((ts - from) / length)));
    buckets[at] = widen(buckets[at], extremes);
  };
  return {
    addReading: (ts, value) => add(ts, { min: value, max: value, minTs: ts, maxTs: ts, count: 1 }),
    // Summaries do not keep the times of their extremes: they are drawn at a third and two thirds of the summary.
    addSummary: (ts, span, min, max, readings) =>
      add(ts + span / 2, {
        min,
        max,
        minTs: Math.round(ts + span / 3),
        maxTs: Math.round(ts + (2 * span) / 3),
        count: readings,
      }),
    line: () => {
      const line: Line = { xs: [], ys: [], count: 0 };
      const point = (x: number, y: number) => {
        line.xs.push(x);
        line.ys.push(y);
      };
      for (const bucket of buckets) {
        if (!bucket) continue;
        line.count += bucket.count;
        const isMinFirst = bucket.minTs <= bucket.maxTs;
        if (isMinFirst) point(bucket.minTs, bucket.min);
        if (bucket.min !== bucket.max) point(bucket.maxTs, bucket.max);
        if (!isMinFirst) point(bucket.minTs, bucket.min);
      }
      return line;
    },
  };
};
