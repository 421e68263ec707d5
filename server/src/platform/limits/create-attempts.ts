import type { AttemptNeeds, Attempts, Limit } from "./attempts.ts";
import { createOwnAttempts } from "./own-attempts.ts";
import { createSharedAttempts } from "./shared-attempts.ts";

/**
 * Creates a limit on failed tries only: users behind one address may sign in as often as they like. Counted in memory, or by the nodes of a cluster in
 * the database, under `name`.
 */
export const createAttempts = (world: AttemptNeeds, name: string, limit: Limit): Attempts =>
  world.node.isOfCluster ? createSharedAttempts(world, name, limit) : createOwnAttempts(world.clock, limit);
