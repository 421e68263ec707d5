import type { Access } from "@telltale/contract/call/call";
import { Message } from "@telltale/contract/call/codes";
import { isAllowed, type Permission, permissions } from "@telltale/contract/permissions";
import type { FastifyRequest } from "fastify";
import { fieldOf } from "../fault.ts";
import { notAllowed, notSignedIn } from "./api-error.ts";
import type { Caller, Visitor } from "./caller.ts";

/** Finds the session of a token; undefined when the token is not valid (any more). */
export type FindCaller = (token: string) => Promise<Omit<Caller, keyof Visitor | "token"> | undefined>;

/** Authorizes every call. */
export interface Gate {
  /** Identifies the sender; throws 401 or 403 when they may not make a call of this access. */
  admit(access: Access, request: FastifyRequest): Promise<Visitor>;
  /** Identifies the signed-in user, for routes that are not calls: the live socket, exports. */
  identify(request: FastifyRequest): Promise<Caller>;
}

const bearer = /^Bearer +([\w~+/.=-]+)$/i;

/** The token of a request: query parameter `token`, as specified, or `Authorization: Bearer`. */
export const tokenOf = (request: FastifyRequest): string | undefined => {
  const token = fieldOf(request.query, "token");
  if (typeof token === "string" && token !== "") return token;
  return bearer.exec(request.headers.authorization ?? "")?.[1];
};

const visitorOf = (request: FastifyRequest): Visitor => ({
  address: request.ip,
  userAgent: (request.headers["user-agent"] ?? "").slice(0, 300),
});

/** Throws when the caller lacks the permission; the message says whether role or support view is the reason. */
export const checkPermission = (permission: Permission, caller: Pick<Caller, "roleType" | "isAdmin">): void => {
  if (isAllowed(permission, caller)) return;
  const isRole = permissions[permission].roles.includes(caller.roleType);
  throw notAllowed(isRole ? Message.readOnly : Message.notAllowed);
};

export const createGate = (findCaller: FindCaller): Gate => {
  const identify = async (request: FastifyRequest): Promise<Caller> => {
    const token = tokenOf(request);
    const found = token ? await findCaller(token) : undefined;
    if (!token || !found) throw notSignedIn();
    return { ...visitorOf(request), ...found, token };
  };
  return {
    identify,
    admit: async (access, request) => {
      if (access === "public") return visitorOf(request);
      const caller = await identify(request);
      if (access !== "session") checkPermission(access, caller);
      return caller;
    },
  };
};
