/** Latencies in microseconds, in buckets 4 % wide: constant memory for any number of samples. */
export interface Histogram {
  add: (microseconds: number) => void;
  /** The latency in milliseconds at this quantile (0 to 1); 0 without samples. */
  quantile: (share: number) => number;
  readonly worst: () => number;
}

const bucketsPerDoubling = 16;

export const createHistogram = (): Histogram => {
  const buckets = new Uint32Array(bucketsPerDoubling * 40);
  let count = 0;
  let worst = 0;
  return {
    add: (microseconds) => {
      const bucket = Math.floor(Math.log2(Math.max(1, microseconds)) * bucketsPerDoubling);
      buckets[Math.min(buckets.length - 1, bucket)] = (buckets[Math.min(buckets.length - 1, bucket)] ?? 0) + 1;
      count++;
      if (microseconds > worst) worst = microseconds;
    },
    quantile: (share) => {
      let seen = 0;
      for (let i = 0; i < buckets.length; i++) {
        seen += buckets[i] ?? 0;
        if (count > 0 && seen >= share * count) return Math.min(worst, 2 ** ((i + 1) / bucketsPerDoubling)) / 1000;
      }
      return 0;
    },
    worst: () => worst / 1000,
  };
};
