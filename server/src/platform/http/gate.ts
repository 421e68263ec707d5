import type { Access } from "@telltale/contract/call/call";
import { Message } from "@telltale/contract/call/codes";
import { isAllowed, type Permission, permissions } from "@telltale/contract/permissions";
import type { FastifyRequest } from "fastify";
import { fieldOf } from "../fault.ts";
import { notAllowed, notSignedIn } from "./api-error.ts";
import type { Caller, Visitor } from "./caller.ts";

/** Finds who a token belongs to; undefined when it signs nobody in (any more). */
export type FindCaller = (token: string) => Promise<Omit<Caller, keyof Visitor | "token"> | undefined>;

/** Stands before every call. */
export interface Gate {
  /** Who sent the request; refuses with 401 or 403 who may not make a call of this access. */
  admit(access: Access, request: FastifyRequest): Promise<Visitor>;
  /** Who is signed in by this request, for routes that are not calls: the live socket, exports. */
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

/** Refuses a caller without the permission, saying whether the role or the support view is in the way. */
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
