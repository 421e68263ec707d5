import type { Access } from "@telltale/contract/call/call";
import { Code, Message } from "@telltale/contract/call/codes";
import { apiKeyPrefix, KeyMessage } from "@telltale/contract/domains/people/api-keys";
import { type Grant, isAllowed, type Permission, permissions } from "@telltale/contract/permissions";
import type { FastifyRequest } from "fastify";
import { fieldOf } from "../fault.ts";
import { createFairShare } from "../turns.ts";
import { ApiError, notAllowed, notSignedIn } from "./api-error.ts";
import type { Caller, Visitor } from "./caller.ts";

/** Finds the caller behind a token or an API key, which is used from this address; undefined when it is not valid (any more). */
export type FindCaller = (
  token: string,
  address?: string,
) => Promise<Omit<Caller, keyof Visitor | "token"> | undefined>;

/** Authorizes every call. */
export interface Gate {
  /** Identifies the sender; throws 401 or 403 when they may not make a call of this access. */
  admit(access: Access, request: FastifyRequest): Promise<Visitor | Caller>;
  /** Identifies the signed-in user, for routes that are not calls: the live socket, exports. */
  identify(request: FastifyRequest): Promise<Caller>;
  /** Handles a call when it is the caller's turn. */
  inShare<T>(caller: Caller, handle: () => Promise<T>): Promise<T>;
  /** Handles a call; a second time if it only reads, and what it could not read is left out from now on. */
  handle<T>(isReading: boolean, handle: () => Promise<T>): Promise<T>;
}

/** Whether a call that failed with this fault may be answered now, because what it could not read is left out. */
export type LeaveOut = (fault: unknown) => Promise<boolean>;

/** Calls of one caller that are handled at a time, more than a browser sends at once, and that may wait for these. */
const [atOnce, mostWaiting] = [12, 1_000];
const tooMany = (): ApiError =>
  new ApiError(Code.tooManyTries, "Too many of your requests are waiting. Send the next when some are answered");
/** Programs with a key of the member's don't keep the member's own console waiting. */
const sharerOf = ({ accountId, key }: Caller): string => (key ? `key ${key.apiKeyId}` : `account ${accountId}`);

const bearer = /^Bearer +([\w~+/.=-]+)$/i;

/** Whether a token is an API key. */
export const isApiKey = (token: string): boolean => token.startsWith(apiKeyPrefix);

const keyInAddress = "Send the API key in the header Authorization: Bearer. In an address it ends up in logs";

/**
 * The token of a request: query parameter `token`, as specified, or `Authorization: Bearer`. Throws for an API key in the query: it is valid for long, and
 * addresses are logged.
 */
export const tokenOf = (request: FastifyRequest): string | undefined => {
  const token = fieldOf(request.query, "token");
  if (typeof token === "string" && isApiKey(token)) throw notSignedIn(keyInAddress);
  if (typeof token === "string" && token !== "") return token;
  return bearer.exec(request.headers.authorization ?? "")?.[1];
};

const visitorOf = (request: FastifyRequest): Visitor => ({
  address: request.ip,
  userAgent: (request.headers["user-agent"] ?? "").slice(0, 300),
});

/** Throws when the caller lacks the permission; the message says whether role, support view or API key is the reason. */
export const checkPermission = (permission: Permission, caller: Pick<Caller, "roleType" | "isAdmin" | "key">): void => {
  if (isAllowed(permission, caller)) return;
  const { roles, isPersonal }: Grant = permissions[permission];
  if (caller.key && isPersonal) throw notAllowed(KeyMessage.notByKey);
  if (!roles.includes(caller.roleType)) throw notAllowed();
  throw notAllowed(caller.key ? KeyMessage.readOnlyKey : Message.readOnly);
};

/** Throws when the caller may not make a call of this access. */
const check = (access: Exclude<Access, "public">, caller: Caller): void => {
  if (access === "session") {
    if (caller.key) throw notAllowed(KeyMessage.notByKey);
  } else if (access !== "member") checkPermission(access, caller);
};

export const createGate = (findCaller: FindCaller, leaveOut: LeaveOut = async () => false): Gate => {
  const identify = async (request: FastifyRequest): Promise<Caller> => {
    const token = tokenOf(request);
    const found = token ? await findCaller(token, request.ip) : undefined;
    if (!token || !found) throw notSignedIn(token && isApiKey(token) ? KeyMessage.noSuchKey : undefined);
    return { ...visitorOf(request), ...found, token };
  };
  const inShare = createFairShare(atOnce, mostWaiting, tooMany);
  return {
    identify,
    inShare: (caller, handle) => inShare(sharerOf(caller), handle),
    handle: async (isReading, handle) => {
      try {
        return await handle();
      } catch (fault) {
        if (!(await leaveOut(fault)) || !isReading) throw fault;
        return handle();
      }
    },
    admit: async (access, request) => {
      if (access === "public") return visitorOf(request);
      const caller = await identify(request);
      check(access, caller);
      return caller;
    },
  };
};
