import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import type { Access } from "@telltale/contract/call/call";
import { type AccountRow, accounts, type UserInfo } from "@telltale/contract/domains/people/accounts";
import { site } from "@telltale/contract/domains/people/site";
import { isAllowed } from "@telltale/contract/permissions";
import { client, leaveSession } from "./client.ts";
import { currentAccount, startPageOf } from "./landing.ts";
import { showFailure } from "./query.ts";
import { clearToken, storeToken } from "./token.ts";
import { callQuery, useCall } from "./use-call.ts";

/** What a page or action requires: a permission, or only a signed-in user. */
export type Needs = Exclude<Access, "public" | "member">;

/** The signed-in user as a query; it changes only with the session. */
export const userQuery = { ...callQuery(accounts.info, {}), staleTime: Number.POSITIVE_INFINITY };

/**
 * Clears the cache of a session. Public server facts stay: the login page on screen uses them, and removing a query that is being observed
 * does not refetch it.
 */
export const forgetSession = (queries: QueryClient): void => {
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== site.info.path });
  queries.getMutationCache().clear();
};

/** Starts a session in this browser with the answer of a login. */
export const openSession = (queries: QueryClient, user: UserInfo): void => {
  forgetSession(queries);
  storeToken(user.token);
  queries.setQueryData(userQuery.queryKey, user);
};

/**
 * Switches to another account with a page reload, so that nothing of the other plant stays in memory. Returns whether it succeeded; an error is
 * shown and changes nothing.
 */
const changeAccount = async (accountId: number): Promise<boolean> => {
  try {
    await leaveSession(async () => {
      const user = await client(accounts.change, { accountId });
      storeToken(user.token);
      location.assign(startPageOf(user));
    });
    return true;
  } catch (error) {
    showFailure(error);
    return false;
  }
};

/** How long the server's answer to a sign-out is waited for, milliseconds. */
const patience = 5_000;

/** Ends the session in this browser even when the server can't be reached; the token then expires by itself. */
const signOut = async (): Promise<void> => {
  await leaveSession(async () => {
    await client(accounts.signOut, {}, AbortSignal.timeout(patience)).catch(() => undefined);
    clearToken();
  });
  location.assign("/index");
};

export interface Session {
  user: UserInfo;
  /** The current account: the user's role in one plant. */
  account: AccountRow;
  /** Whether role and support view permit it; the server checks again. */
  can: (needs: Needs) => boolean;
  /** A read-only support view. */
  isAdmin: boolean;
  signOut: () => Promise<void>;
  changeAccount: (accountId: number) => Promise<boolean>;
}

/** What a user may do in the current account. */
export const allows = (user: UserInfo, needs: Needs): boolean =>
  needs === "session" || isAllowed(needs, { roleType: currentAccount(user).roleType, isAdmin: user.isAdmin });

/** The session of a signed-in screen; the router has loaded the user before. */
export const useSession = (): Session => {
  const queries = useQueryClient();
  const { data } = useCall(accounts.info, {}, { staleTime: Number.POSITIVE_INFINITY });
  const user = data ?? queries.getQueryData<UserInfo>(userQuery.queryKey);
  if (!user) throw new Error("There is no session here");
  return {
    user,
    account: currentAccount(user),
    can: (needs) => allows(user, needs),
    isAdmin: user.isAdmin,
    signOut,
    changeAccount,
  };
};
