/** The only place that reads the machine's time, so that tests and simulations can set it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** The same moment as a Date. */
  date(): Date;
}

export const systemClock: Clock = { now: () => Date.now(), date: () => new Date() };
