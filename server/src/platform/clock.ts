/** The only access to the machine's time, so that tests and simulations can replace it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** The same moment as a Date. */
  date(): Date;
  /** Monotonic milliseconds, not affected when the machine's clock is set. */
  steady(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  date: () => new Date(),
  steady: () => performance.now(),
};
