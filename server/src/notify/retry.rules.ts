const first = 5_000;
const longest = 3_600_000;

/** For how long a message is tried, in milliseconds since it was written. */
export const patience = 48 * 3_600_000;

/** Wait before the next try in milliseconds, after so many have failed: it doubles from 5 seconds to an hour. */
export const retryDelay = (tries: number): number => Math.min(first * 2 ** Math.max(tries - 1, 0), longest);
