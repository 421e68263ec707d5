import { CallError, type Client, createClient } from "@telltale/contract/client";
import { Code } from "@telltale/contract/codes";
import { clearToken, readToken } from "./token.ts";

const send = createClient({ baseUrl: "", token: readToken });

let expired: () => void = () => undefined;

/** Says what happens once when the server no longer knows the session's token. */
export const onSessionExpired = (callback: () => void): void => {
  expired = callback;
};

/**
 * Ends the session in this browser as the server has ended it already. Only the session of that token: an account switch
 * replaces the token while calls are under way and the socket still open, and their end must not end the new one.
 */
export const expireSession = (token: string | undefined): void => {
  if (token === undefined || token !== readToken()) return;
  clearToken();
  expired();
};

/** The contract's client with the stored token. A 401 ends the session. (spec 1 §8) */
export const client: Client = async (call, input, signal) => {
  const token = readToken();
  try {
    return await send(call, input, signal);
  } catch (error) {
    const isRefused = error instanceof CallError && error.code === Code.notSignedIn;
    if (isRefused && call.access !== "public") expireSession(token);
    throw error;
  }
};
