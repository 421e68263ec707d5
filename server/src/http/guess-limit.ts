import { Code } from "@telltale/contract/codes";
import type { Clock } from "../clock.ts";
import type { Caller } from "./caller.ts";
import { Refusal } from "./refusal.ts";
import { createTries } from "./tries.ts";

/** Wrong IDs within the window, in milliseconds: who holds a unit in hand needs few, who guesses IDs needs many. */
const limit = { most: 20, window: 300_000 };

const isWrongId = (fault: unknown): boolean =>
  fault instanceof Refusal && (fault.code === Code.notFound || fault.code === Code.conflict);

/** Limits wrong device IDs, and whatever else could be guessed, by address and by user. (decisions §5) */
export const createGuessLimit = (clock: Clock) => {
  const tries = createTries(clock, limit);
  return async <T>(caller: Caller, act: () => Promise<T>): Promise<T> => {
    const keys = [`address ${caller.address}`, `user ${caller.userId}`];
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
