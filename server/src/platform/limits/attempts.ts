import type { Clock } from "../clock.ts";
import { tooManyTries } from "../http/api-error.ts";

/** Counts failed tries by a key, such as an e-mail. */
export interface Attempts {
  /** Throws 429 with the wait after too many failures. */
  check(key: string): void;
  /** Counts a failure. Where checking takes long, call it before the check, or many concurrent tries would all pass. */
  failed(key: string): void;
  /** Takes back a counted try that did not fail. */
  pardon(key: string): void;
  forget(key: string): void;
}

/** A limit on failed tries. */
export interface Limit {
  most: number;
  /** Milliseconds from the first failure until they are forgotten. */
  window: number;
}

/** Most keys; beyond that the oldest are dropped, so that invented keys cannot fill the memory. */
const maxShortcutKeys = 50_000;

/**
 * Creates a limit on failed tries only: users behind one address may sign in as often as they like. Kept in memory per node, so several nodes
 * multiply the limit.
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
      if (counts.size > maxShortcutKeys && !oldest.done) counts.delete(oldest.value);
    },
    pardon: (key) => {
      const found = current(key);
      if (found) found.count -= 1;
    },
    forget: (key) => void counts.delete(key),
  };
};
