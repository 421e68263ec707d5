import type { World } from "../../world.ts";

/** Counts tries by a key, such as an e-mail. */
export interface Attempts {
  /** Throws 429 with the wait when no further try is allowed. */
  check(key: string): Promise<void>;
  /** Counts a try, or throws like `check`. Call it before checking what was tried: many concurrent tries would all pass otherwise. */
  count(key: string): Promise<void>;
  /** Takes back a counted try that did not fail. */
  pardon(key: string): Promise<void>;
  forget(key: string): Promise<void>;
}

/** A limit on failed tries. */
export interface Limit {
  most: number;
  /** Milliseconds from the first failure until they are forgotten. */
  window: number;
}

/** What counting needs. */
export type AttemptNeeds = Pick<World, "clock" | "node" | "pool">;

/** Limits with the key to count by each. */
export type Counted = readonly (readonly [Pick<Attempts, "count" | "pardon">, string])[];

export const pardonAll = async (counted: Counted): Promise<void> => {
  for (const [attempts, key] of counted) await attempts.pardon(key);
};

/** Counts a try towards several limits, or throws and counts it towards none. */
export const countAll = async (counted: Counted): Promise<void> => {
  for (const [index, [attempts, key]] of counted.entries()) {
    try {
      await attempts.count(key);
    } catch (fault) {
      await pardonAll(counted.slice(0, index));
      throw fault;
    }
  }
};
