import { Code } from "@telltale/contract/call/codes";
import type { Clock } from "../clock.ts";
import { ApiError } from "../http/api-error.ts";
import type { Caller, Visitor } from "../http/caller.ts";
import { createAttempts } from "./attempts.ts";
import { createNetworkTries } from "./network.ts";

/** Wrong IDs per window, in milliseconds: a user with a unit at hand needs few tries, guessing needs many. */
const limit = { most: 20, window: 300_000 };

const isWrongId = (fault: unknown): boolean =>
  fault instanceof ApiError && (fault.code === Code.notFound || fault.code === Code.conflict);

/** Limits guesses of device IDs and other identifiers, by address and, when signed in, by user. (decisions §5) */
export const createGuessLimit = (clock: Clock) => {
  const byNetwork = createNetworkTries(clock, limit);
  const byUser = createAttempts(clock, limit);
  return async <T>(who: Visitor | Caller, act: () => Promise<T>): Promise<T> => {
    const user = "userId" in who ? String(who.userId) : undefined;
    const both = (count: "check" | "failed" | "pardon") => {
      byNetwork[count](who.address);
      if (user !== undefined) byUser[count](user);
    };
    both("check");
    both("failed");
    try {
      const result = await act();
      both("pardon");
      return result;
    } catch (fault) {
      if (!isWrongId(fault)) both("pardon");
      throw fault;
    }
  };
};
