const runs = 20;

/** Median duration of several runs after a warm-up, milliseconds. */
export const median = async (work: () => Promise<unknown>): Promise<number> => {
  await work();
  const times: number[] = [];
  for (let at = 0; at < runs; at++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[runs / 2] ?? 0;
};
