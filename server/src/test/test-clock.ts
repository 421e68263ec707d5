import type { Clock } from "../clock.ts";

/** A clock that a test sets. */
export interface TestClock extends Clock {
  /** Lets time pass, in milliseconds. */
  pass(milliseconds: number): void;
}

/** Starts at the machine's time, so that what PostgreSQL or a device dates itself fits. */
export const testClock = (start = Date.now()): TestClock => {
  let now = start;
  return {
    now: () => now,
    date: () => new Date(now),
    pass: (milliseconds) => {
      now += milliseconds;
    },
  };
};
