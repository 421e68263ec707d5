import { Code } from "@telltale/contract/call/codes";
import { ApiError } from "./api-error.ts";
import type { Caller } from "./caller.ts";

/** Who calls: an API key, or the sessions of an account. */
export type Sharer = Pick<Caller, "accountId" | "key">;

/** Handles a call of this caller; resolves and rejects as the call does. */
export type InShare = <T>(caller: Sharer, handle: () => Promise<T>) => Promise<T>;

interface Share {
  handled: number;
  waiting: (() => void)[];
}

const tooMany = (): ApiError =>
  new ApiError(Code.tooManyTries, "Too many of your requests are waiting. Send the next when some are answered");

/** Programs with a key of the member's don't keep the member's own console waiting. */
const nameOf = ({ accountId, key }: Sharer): string => (key ? `key ${key.apiKeyId}` : `account ${accountId}`);

/**
 * Of one caller at most `atOnce` calls are handled at a time, and further ones first come, first served: whoever sends a thousand costly ones waits for
 * them, and nobody else does. Beyond `mostWaiting` they are refused.
 */
export const createFairShare = (atOnce: number, mostWaiting: number): InShare => {
  const shares = new Map<string, Share>();
  const enter = async (share: Share): Promise<void> => {
    if (share.handled < atOnce) share.handled += 1;
    else if (share.waiting.length >= mostWaiting) throw tooMany();
    else await new Promise<void>((resolve) => share.waiting.push(resolve));
  };
  const leave = (name: string, share: Share): void => {
    const next = share.waiting.shift();
    if (next) next();
    else share.handled -= 1;
    if (share.handled === 0) shares.delete(name);
  };
  return async (caller, handle) => {
    const name = nameOf(caller);
    const share = shares.get(name) ?? { handled: 0, waiting: [] };
    shares.set(name, share);
    await enter(share);
    try {
      return await handle();
    } finally {
      leave(name, share);
    }
  };
};
