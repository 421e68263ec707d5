import { CallError, type Client, createClient } from "@telltale/contract/client";
import { Code } from "@telltale/contract/codes";
import { clearToken, readToken } from "./token.ts";

const send = createClient({ baseUrl: "", token: readToken });

let expired: () => void = () => undefined;

/** Says what happens once when the server no longer knows the session's token. */
export const onSessionExpired = (callback: () => void): void => {
  expired = callback;
};

/** Ends the session in this browser as the server has ended it already. */
export const expireSession = (): void => {
  if (readToken() === undefined) return;
  clearToken();
  expired();
};

/**
 * The contract's client with the stored token. A 401 ends the session (spec 1 §8); not so for a call that was sent
 * with an older token, because an account switch replaces the token while calls are under way.
 */
export const client: Client = async (call, input, signal) => {
  const token = readToken();
  try {
    return await send(call, input, signal);
  } catch (error) {
    const isRefused = error instanceof CallError && error.code === Code.notSignedIn;
    if (isRefused && call.access !== "public" && token === readToken()) expireSession();
    throw error;
  }
};
