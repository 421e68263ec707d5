import type { Clock } from "../clock.ts";
import { tooManyTries } from "../http/api-error.ts";
import type { AttemptNeeds, Attempts, Limit } from "./attempts.ts";
import { createSharedAttempts } from "./shared-attempts.ts";

/** Most keys; beyond that the oldest are dropped, so that invented keys cannot fill the memory. */
const mostKeys = 50_000;

/** Tries counted in this server's memory. */
const createOwnAttempts = (clock: Clock, { most, window }: Limit): Attempts => {
  const counts = new Map<string, { count: number; until: number }>();
  const current = (key: string) => {
    const found = counts.get(key);
    if (found && found.until <= clock.now()) counts.delete(key);
    return counts.get(key);
  };
  const checked = (key: string) => {
    const found = current(key);
    if (found && found.count >= most) throw tooManyTries(found.until - clock.now());
    return found;
  };
  return {
    check: async (key) => void checked(key),
    count: async (key) => {
      const found = checked(key);
      if (found) found.count += 1;
      else counts.set(key, { count: 1, until: clock.now() + window });
      const oldest = counts.keys().next();
      if (counts.size > mostKeys && !oldest.done) counts.delete(oldest.value);
    },
    pardon: async (key) => {
      const found = current(key);
      if (found) found.count -= 1;
    },
    forget: async (key) => void counts.delete(key),
  };
};

/**
 * Creates a limit on failed tries only: users behind one address may sign in as often as they like. Counted in memory, or by the nodes of a cluster in
 * the database, under `name`.
 */
export const createAttempts = (world: AttemptNeeds, name: string, limit: Limit): Attempts =>
  world.node.isOfCluster ? createSharedAttempts(world, name, limit) : createOwnAttempts(world.clock, limit);
