import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { accounts, type UserInfo } from "@telltale/contract/accounts";
import { useEffect, useRef } from "react";
import { client } from "../../session/client.ts";
import { landingOf } from "../../session/landing.ts";
import { showFailure } from "../../session/query.ts";
import { forgetSession, openSession, userQuery } from "../../session/session.ts";
import { clearToken, storeToken } from "../../session/token.ts";

const openSupportView = (supportToken: string): Promise<UserInfo> => client(accounts.openSupportView, { supportToken });

const openWithToken = (token: string, queries: QueryClient): Promise<UserInfo> => {
  storeToken(token);
  forgetSession(queries);
  return queries.fetchQuery(userQuery);
};

/** Signs in by the address alone, once, then goes to the page that fits the role; with a bad token to the login. */
const useEntry = (parameter: string, open: (token: string, queries: QueryClient) => Promise<UserInfo>): void => {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const token = (useSearch({ strict: false }) as Record<string, unknown>)[parameter];
  const isStarted = useRef(false);
  useEffect(() => {
    // A single-use token must not be sent twice, as strict mode would.
    if (isStarted.current) return;
    isStarted.current = true;
    const enter = async () => {
      try {
        const user = await open(typeof token === "string" ? token : "", queries);
        openSession(queries, user);
        await navigate({ to: landingOf(user), replace: true });
      } catch (error) {
        clearToken();
        showFailure(error as Error);
        await navigate({ to: "/login", replace: true });
      }
    };
    void enter();
  }, [token, open, queries, navigate]);
};

/** /adminLogin?token= opens a read-only support view. (decisions §5) */
export const SupportEntry = () => {
  useEntry("token", openSupportView);
  return null;
};

/** /dashboard?accessToken= goes on with a session's token. (spec 1 §2) */
export const TokenEntry = () => {
  useEntry("accessToken", openWithToken);
  return null;
};
