import { Code } from "@telltale/contract/call/codes";
import { ApiError } from "../http/api-error.ts";
import type { Caller, Visitor } from "../http/caller.ts";
import { type AttemptNeeds, type Counted, countAll, pardonAll } from "./attempts.ts";
import { createAttempts } from "./create-attempts.ts";
import { createNetworkTries } from "./network.ts";

/** Wrong IDs per window, in milliseconds: a user with a unit at hand needs few tries, guessing needs many. */
const limit = { most: 20, window: 300_000 };

const isWrongId = (fault: unknown): boolean =>
  fault instanceof ApiError && (fault.code === Code.notFound || fault.code === Code.conflict);

/** Limits guesses of device IDs and other identifiers, by address and, when signed in, by user. (decisions §5) */
export const createGuessLimit = (world: AttemptNeeds, name: string) => {
  const byNetwork = createNetworkTries(world, name, limit);
  const byUser = createAttempts(world, `${name} user`, limit);
  return async <T>(who: Visitor | Caller, act: () => Promise<T>): Promise<T> => {
    const counted: Counted = [
      [byNetwork, who.address],
      ...("userId" in who ? [[byUser, String(who.userId)] as const] : []),
    ];
    await countAll(counted);
    try {
      const result = await act();
      await pardonAll(counted);
      return result;
    } catch (fault) {
      if (!isWrongId(fault)) await pardonAll(counted);
      throw fault;
    }
  };
};
