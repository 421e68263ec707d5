/** The only place that reads the machine's time, so that tests and simulations can set it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** The same moment as a Date. */
  date(): Date;
  /** Milliseconds since some moment, which go on evenly when the machine's clock is set. */
  steady(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  date: () => new Date(),
  steady: () => performance.now(),
};
