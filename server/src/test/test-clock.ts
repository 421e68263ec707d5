import type { Clock } from "../platform/clock.ts";

/** A clock that a test sets. */
export interface TestClock extends Clock {
  /** Lets time pass, in milliseconds. */
  pass(milliseconds: number): void;
  /** Sets the clock forward, or back, without that any time passes. */
  jump(milliseconds: number): void;
}

/** Starts at the machine's time, so that what PostgreSQL or a device dates itself fits. */
export const testClock = (start = Date.now()): TestClock => {
  let now = start;
  let steady = 0;
  return {
    now: () => now,
    date: () => new Date(now),
    steady: () => steady,
    pass: (milliseconds) => {
      now += milliseconds;
      steady += milliseconds;
    },
    jump: (milliseconds) => {
      now += milliseconds;
    },
  };
};
