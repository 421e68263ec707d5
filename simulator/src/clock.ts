/** The fleet's clock. */
export interface SimulatedClock {
  /** Epoch milliseconds. */
  now: () => number;
}

/**
 * Runs from `from` at `speed` times real time until it has caught up with the real clock, then follows it: no device is ever ahead of real time.
 */
export const createClock = (speed: number, from: number, realNow: () => number = Date.now): SimulatedClock => {
  const start = realNow();
  return { now: () => Math.min(realNow(), from + (realNow() - start) * speed) };
};
