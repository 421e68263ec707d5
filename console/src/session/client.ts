import { CallError, type Client, createClient, UnreachableError } from "@telltale/contract/call/client";
import { Code, Message } from "@telltale/contract/call/codes";
import { withdraw } from "../ui/dialog/notify.tsx";
import { clearToken, readToken } from "./token.ts";

/** When each call last failed to reach a server, by path. Moments of the performance clock. */
const unanswered = new Map<string, Map<string, number>>([
  [Message.networkBusy, new Map()],
  [Message.serverBusy, new Map()],
]);

/** Notes that a call was not answered. */
const noteFailure = (path: string, error: unknown): void => {
  if (!(error instanceof UnreachableError)) return;
  unanswered.get(error.message)?.set(path, performance.now());
};

/**
 * Notes that a call was answered, and takes away what was said of the connection: any answer to a call that began after a failure of the network shows that
 * the network is back; that a server is busy with one call is over when that call is answered.
 */
const noteAnswer = (path: string, began: number): void => {
  for (const [sentence, calls] of unanswered) {
    if (calls.size === 0) continue;
    for (const [lost, at] of calls) {
      const isAnswered = sentence === Message.networkBusy ? at <= began : lost === path;
      if (isAnswered) calls.delete(lost);
    }
    if (calls.size === 0) withdraw(sentence);
  }
};

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
