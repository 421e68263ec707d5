import { CallError, type Client, createClient, UnreachableError } from "@telltale/contract/client";
import { Code } from "@telltale/contract/codes";
import { noteAnswer, noteFailure } from "./connection.ts";
import { clearToken, readToken } from "./token.ts";

const send = createClient({ baseUrl: "", token: readToken });

let expired: () => void = () => undefined;

/** Says what happens once when the server no longer knows the session's token. */
export const onSessionExpired = (callback: () => void): void => {
  expired = callback;
};

let isLeaving = false;
let heldBack: string | undefined;

/**
 * Ends the session in this browser as the server has ended it already. Only the session of that token: an account switch
 * replaces the token while calls are under way and the socket still open, and their end must not end the new one.
 */
export const expireSession = (token: string | undefined): void => {
  if (token === undefined || token !== readToken()) return;
  if (isLeaving) {
    heldBack = token;
    return;
  }
  clearToken();
  expired();
};

/**
 * Does what makes the server end this session: a sign-out, another account. On a slow network the socket closes before
 * the answer is here, and that end is no news. It is when `leave` has not put another token, or none, in its place.
 */
export const leaveSession = async (leave: () => Promise<void>): Promise<void> => {
  isLeaving = true;
  try {
    await leave();
  } finally {
    isLeaving = false;
    expireSession(heldBack);
    heldBack = undefined;
  }
};

/** The contract's client with the stored token. A 401 ends the session. (spec 1 §8) */
export const client: Client = async (call, input, signal) => {
  const token = readToken();
  const began = performance.now();
  try {
    const result = await send(call, input, signal);
    noteAnswer(call.path, began);
    return result;
  } catch (error) {
    if (error instanceof CallError && !(error instanceof UnreachableError)) noteAnswer(call.path, began);
    noteFailure(call.path, error);
    const isRefused = error instanceof CallError && error.code === Code.notSignedIn;
    if (isRefused && call.access !== "public") expireSession(token);
    throw error;
  }
};
