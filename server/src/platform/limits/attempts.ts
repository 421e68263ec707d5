import type { Clock } from "../clock.ts";
import { tooManyTries } from "../http/api-error.ts";

/** Counts failed tries by a key, such as an e-mail. */
export interface Attempts {
  /** Refuses with 429 and the wait when there were too many. */
  check(key: string): void;
  /** Counts a try. What takes long to judge is counted before it is judged, or many tries at once would all pass the check. */
  failed(key: string): void;
  /** Takes back a try that was counted and did not fail. */
  pardon(key: string): void;
  forget(key: string): void;
}

/** How many failed tries are borne. */
export interface Limit {
  most: number;
  /** Milliseconds from the first failed try until they are forgotten. */
  window: number;
}

/** Keys kept at once; beyond, the oldest go, so that inventing keys costs an attacker and not our memory. */
const mostKeys = 50_000;

/**
 * A limit on failed tries only: a plant behind one address signs in as often as it likes. Kept in memory of each node, so with
 * several nodes the limit is as many times as high.
 */
export const createAttempts = (clock: Clock, { most, window }: Limit): Attempts => {
  const counts = new Map<string, { count: number; until: number }>();
  const current = (key: string) => {
    const found = counts.get(key);
    if (found && found.until <= clock.now()) counts.delete(key);
    return counts.get(key);
  };
  return {
    check: (key) => {
      const found = current(key);
      if (found && found.count >= most) throw tooManyTries(found.until - clock.now());
    },
    failed: (key) => {
      const found = current(key);
      if (found) found.count += 1;
      else counts.set(key, { count: 1, until: clock.now() + window });
      const oldest = counts.keys().next();
      if (counts.size > mostKeys && !oldest.done) counts.delete(oldest.value);
    },
    pardon: (key) => {
      const found = current(key);
      if (found) found.count -= 1;
    },
    forget: (key) => void counts.delete(key),
  };
};
