/** The only access to the machine's time, so that tests and simulations can replace it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** The same moment as a Date. */
  date(): Date;
  /** Monotonic milliseconds, not affected when the machine's clock is set. */
  steady(): number;
}

/** Difference between wall clock and monotonic clock that no slow clock reaches: the clock was set. Milliseconds. */
export const setBy = 1_000;

/**
 * Returns a function that tells whether the clock was set back since its last call; true at the first, because it may have been set back before the
 * server was started. What was written for a time before is then far in the future.
 */
export const createSetBackWatch = (clock: Clock): (() => boolean) => {
  let before = Number.POSITIVE_INFINITY;
  return () => {
    const ahead = clock.now() - clock.steady();
    const isSetBack = ahead < before - setBy;
    before = ahead;
    return isSetBack;
  };
};

export const systemClock: Clock = {
  now: () => Date.now(),
  date: () => new Date(),
  steady: () => performance.now(),
};
