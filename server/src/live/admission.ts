import { livePath } from "@telltale/contract/live";
import type { FastifyRequest } from "fastify";
import { type FindCaller, tokenOf } from "../platform/http/gate.ts";
import { type Visibility, visibilityKey } from "./visibility.ts";

type Found = NonNullable<Awaited<ReturnType<FindCaller>>>;

/** Who comes in, by which token, and what is to be seen. */
export interface Entry {
  token: string;
  caller: Found;
  sight: Visibility;
}

/**
 * Whether a page of ours opens the socket. A browser sends the page's origin with it and, unlike for a fetch, nobody else checks it.
 * What is no browser sends none.
 */
export const isOwnPage = (origin: string | undefined, host: string, publicUrl: string | undefined): boolean => {
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  return (
    new URL(origin).host === host || (publicUrl !== undefined && new URL(origin).origin === new URL(publicUrl).origin)
  );
};

/** Lets a request in whose token belongs to the user and account that its path names; undefined for any other. */
export const admitted = async (
  request: FastifyRequest,
  findCaller: FindCaller,
  sightOf: (caller: Found) => Promise<Visibility>,
): Promise<Entry | undefined> => {
  const token = tokenOf(request);
  const caller = token ? await findCaller(token) : undefined;
  const path = request.url.split("?", 1)[0];
  if (!token || !caller || path !== livePath(caller.userId, caller.accountId)) return undefined;
  return { token, caller, sight: await sightOf(caller) };
};

/** Whether the token still signs in, to the same sight. */
export const recheck = async (entry: Entry, findCaller: FindCaller): Promise<"same" | "changed" | "ended"> => {
  const caller = await findCaller(entry.token);
  if (!caller) return "ended";
  return visibilityKey(caller) === entry.sight.key ? "same" : "changed";
};
