/** Cumulative counts of commits by upper bound of their duration, seconds, as in Prometheus' histograms. */
export type CommitDurations = ReadonlyMap<number, number>;

const bucket = /^telltale_commit_duration_seconds_bucket\{le="([^"]+)"\} (\d+)$/gm;

/** The durations of all commits of a server so far, from its metrics. */
export const commitDurations = async (baseURL: string): Promise<CommitDurations> => {
  const text = await (await fetch(`${baseURL}/metrics`)).text();
  return new Map(
    Array.from(text.matchAll(bucket), ([, bound, count]) => [
      bound === "+Inf" ? Number.POSITIVE_INFINITY : Number(bound),
      Number(count),
    ]),
  );
};

/** The duration, seconds, that a part of the commits between two looks does not exceed: the next larger bound of the histogram. */
export const commitQuantile = (before: CommitDurations, after: CommitDurations, part: number): number => {
  const since = (bound: number) => (after.get(bound) ?? 0) - (before.get(bound) ?? 0);
  const all = since(Number.POSITIVE_INFINITY);
  return [...after.keys()].toSorted((a, b) => a - b).find((bound) => since(bound) >= part * all) ?? Number.NaN;
};
