import type { Clock } from "../platform/clock.ts";

/** A clock controlled by the test. */
export interface TestClock extends Clock {
  /** Advances time, in milliseconds. */
  pass(milliseconds: number): void;
  /** Sets the wall clock forward or back without advancing the monotonic one. */
  jump(milliseconds: number): void;
}

/** Starts at the machine's time, so that times set by PostgreSQL or a device match. */
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
