import { Code } from "@telltale/contract/codes";
import type { Clock } from "../clock.ts";
import type { Caller, Visitor } from "./caller.ts";
import { networkOf } from "./network.rules.ts";
import { Refusal } from "./refusal.ts";
import { createTries } from "./tries.ts";

/** Wrong IDs within the window, in milliseconds: who holds a unit in hand needs few, who guesses IDs needs many. */
const limit = { most: 20, window: 300_000 };

const isWrongId = (fault: unknown): boolean =>
  fault instanceof Refusal && (fault.code === Code.notFound || fault.code === Code.conflict);

const keysOf = (who: Visitor | Caller): string[] => {
  const address = `address ${networkOf(who.address)}`;
  return "userId" in who ? [address, `user ${who.userId}`] : [address];
};

/** Limits wrong device IDs, and whatever else could be guessed, by address and, once signed in, by user. (decisions §5) */
export const createGuessLimit = (clock: Clock) => {
  const tries = createTries(clock, limit);
  return async <T>(who: Visitor | Caller, act: () => Promise<T>): Promise<T> => {
    const keys = keysOf(who);
    for (const key of keys) tries.check(key);
    for (const key of keys) tries.failed(key);
    const pardon = () => {
      for (const key of keys) tries.pardon(key);
    };
    try {
      const result = await act();
      pardon();
      return result;
    } catch (fault) {
      if (!isWrongId(fault)) pardon();
      throw fault;
    }
  };
};
