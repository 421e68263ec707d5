/** A line to draw: points in the order of time. `xs` are epoch milliseconds; `count` is how many readings it stands for. */
export interface Line {
  xs: number[];
  ys: number[];
  count: number;
}

/** The extremes of one stretch of time. Their moments are known when they come from readings, else they lie inside the stretch. */
export interface Extremes {
  min: number;
  max: number;
  minTs: number;
  maxTs: number;
  count: number;
}

/** Collects readings and summaries into equal stretches of time, keeping the extremes of each. */
export interface Buckets {
  addReading(ts: number, value: number): void;
  /** A summary of readings around `ts`. */
  addSummary(ts: number, length: number, min: number, max: number, count: number): void;
  /** Two points a stretch, one where both are equal. */
  line(): Line;
}

const widen = (known: Extremes | undefined, added: Extremes): Extremes => {
  if (!known) return added;
  const [low, high] = [added.min < known.min ? added : known, added.max > known.max ? added : known];
  return { min: low.min, minTs: low.minTs, max: high.max, maxTs: high.maxTs, count: known.count + added.count };
};

/** `from` and `to` in epoch milliseconds; at most `maxPoints` points, so half as many stretches. */
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
    // The moments of a summary's extremes are not kept: they are drawn at a third and two thirds of it.
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
