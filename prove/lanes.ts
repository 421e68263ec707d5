/** Runs `work` for the numbers from 0 to `count` - 1 with limited concurrency; `work` receives the number of its lane. */
export const inLanes = async (
  lanes: number,
  count: number,
  work: (number: number, lane: number) => Promise<void>,
): Promise<void> => {
  let next = 0;
  const run = async (lane: number): Promise<void> => {
    while (next < count) {
      const number = next;
      next += 1;
      await work(number, lane);
    }
  };
  await Promise.all(Array.from({ length: Math.min(lanes, count) }, (_, lane) => run(lane)));
};
