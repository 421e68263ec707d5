import { CallError, type Client, createClient, UnreachableError } from "@telltale/contract/call/client";
import { Code, Message } from "@telltale/contract/call/codes";
import { accounts } from "@telltale/contract/domains/people/accounts";
import { withdrawOnceRead } from "../ui/dialog/messages.ts";
import { noteServerTime } from "../ui/server-time.ts";
import { expireToken, readToken } from "./token.ts";

/** Time of the last network failure per call path, by failure message, from `performance.now()`. */
const unanswered = new Map<string, Map<string, number>>([
  [Message.networkBusy, new Map()],
  [Message.serverBusy, new Map()],
]);

/** Records that a call got no answer. */
const recordFailure = (path: string, error: unknown): void => {
  if (!(error instanceof UnreachableError)) return;
  unanswered.get(error.message)?.set(path, performance.now());
};

/**
 * Records an answer and withdraws connection warnings that it disproves: an answer to a call that started after a network failure shows that
 * the network is back; 'Server is busy' for a call is over once that call is answered.
 */
const recordAnswer = (path: string, began: number): void => {
  for (const [sentence, calls] of unanswered) {
    if (calls.size === 0) continue;
    for (const [lost, at] of calls) {
      const isAnswered = sentence === Message.networkBusy ? at <= began : lost === path;
      if (isAnswered) calls.delete(lost);
    }
    if (calls.size === 0) withdrawOnceRead(sentence);
  }
};

/** An answer that the page has asked for is not taken later, milliseconds from its start: another page may have been opened first. */
const takenWithin = 10_000;

let earlyAsked: number | undefined;

/** When answers of the plant were asked for that were taken from the page; epoch milliseconds. Undefined when none was. */
export const earlyAskedAt = (): number | undefined => earlyAsked;

/** Takes the answer to what the page has asked for before this was loaded. */
const takeEarly = (url: unknown): Promise<Response> | undefined => {
  const asked = globalThis.telltaleAsked;
  if (typeof url !== "string" || !asked?.[url]) return undefined;
  const { [url]: answer, ...others } = asked;
  globalThis.telltaleAsked = others;
  if (performance.now() > takenWithin) return undefined;
  // Who is signed in does not change without a message that ends the session.
  if (!url.startsWith(accounts.info.path)) earlyAsked = Math.min(Date.now(), performance.timeOrigin);
  return answer;
};

/** `fetch`, unless the page has asked already; learns from each answer of its own what the server's clock says: of others it is not known how long they took. */
const fetchOrTake: typeof fetch = async (...request) => {
  const early = takeEarly(request[0]);
  if (early !== undefined) return early;
  const asked = Date.now();
  const response = await fetch(...request);
  noteServerTime(response.headers.get("date"), asked, Date.now());
  return response;
};

const send = createClient({ baseUrl: "", token: readToken, fetch: fetchOrTake });

let expired: () => void = () => undefined;

/** Registers what to do once when the server no longer accepts the session's token. */
export const onSessionExpired = (callback: () => void): void => {
  expired = callback;
};

let isLeaving = false;
let heldBack: string | undefined;

/**
 * Ends the session in this browser after the server has ended it. Only for the session of this token: an account switch
 * replaces the token while calls are in flight and the socket is still open, and their 401s must not end the new session.
 */
export const expireSession = (token: string | undefined): void => {
  if (token === undefined || token !== readToken()) return;
  if (isLeaving) {
    heldBack = token;
    return;
  }
  expireToken();
  expired();
};

/**
 * Runs an action that makes the server end this session, such as signing out or switching accounts. On a slow network the socket closes
 * before the action's answer arrives, and that close is expected. It counts as a lost session only when `leave` has not replaced or removed the
 * token.
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
    recordAnswer(call.path, began);
    return result;
  } catch (error) {
    if (error instanceof CallError && !(error instanceof UnreachableError)) recordAnswer(call.path, began);
    recordFailure(call.path, error);
    const isRefused = error instanceof CallError && error.code === Code.notSignedIn;
    if (isRefused && call.access !== "public") expireSession(token);
    throw error;
  }
};
