const runs = 20;

/** The median; 0 of none. */
export const middleOf = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;

/** Median duration of several runs after a warm-up, milliseconds. */
export const median = async (work: () => Promise<unknown>): Promise<number> => {
  await work();
  const times: number[] = [];
  for (let at = 0; at < runs; at++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return middleOf(times);
};
