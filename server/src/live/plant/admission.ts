import { livePath } from "@telltale/contract/live";
import type { FastifyRequest } from "fastify";
import { type FindCaller, tokenOf } from "../../platform/http/gate.ts";
import { type Visibility, visibilityKey } from "./visibility.ts";

type Found = NonNullable<Awaited<ReturnType<FindCaller>>>;

/** An authorized live connection: its token, account and visibility. */
export interface Admission {
  token: string;
  caller: Found;
  visibility: Visibility;
}

/**
 * Whether the socket is opened by our own page. Browsers send the page's origin but, unlike for fetch, do not enforce it. Other clients send none.
 */
export const isOwnPage = (origin: string | undefined, host: string, publicUrl: string | undefined): boolean => {
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  return (
    new URL(origin).host === host || (publicUrl !== undefined && new URL(origin).origin === new URL(publicUrl).origin)
  );
};

/** Authorizes a request whose token belongs to the user and account in its path; undefined otherwise. */
export const admit = async (
  request: FastifyRequest,
  findCaller: FindCaller,
  visibilityOf: (caller: Found) => Promise<Visibility>,
): Promise<Admission | undefined> => {
  const token = tokenOf(request);
  const caller = token ? await findCaller(token, request.ip) : undefined;
  const path = request.url.split("?", 1)[0];
  if (!token || !caller || path !== livePath(caller.userId, caller.accountId)) return undefined;
  return { token, caller, visibility: await visibilityOf(caller) };
};

/** Whether the token is still valid, with the same visibility. */
export const recheck = async (entry: Admission, findCaller: FindCaller): Promise<"same" | "changed" | "ended"> => {
  const caller = await findCaller(entry.token);
  if (!caller) return "ended";
  return visibilityKey(caller) === entry.visibility.key ? "same" : "changed";
};
