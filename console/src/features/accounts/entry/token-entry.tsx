import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type CallError, createClient, UnreachableError } from "@telltale/contract/call/client";
import { Code, Message } from "@telltale/contract/call/codes";
import { accounts, type UserInfo } from "@telltale/contract/domains/people/accounts";
import { useEffect, useRef } from "react";
import { client } from "../../../session/client.ts";
import { startPageOf } from "../../../session/landing.ts";
import { showFailure } from "../../../session/query.ts";
import { openSession } from "../../../session/session.ts";
import { warn } from "../../../ui/dialog/messages.ts";
import { ErrorState } from "../../../ui/page/message.tsx";
import { useNavigate } from "../../../ui/router/hooks.ts";
import { Link } from "../../../ui/router/link.tsx";
import classes from "./entry-fields.module.css";
import { EntryNote } from "./entry-fields.tsx";
import { EntryFrame } from "./entry-frame.tsx";

/** Error for an invalid support link: why, and how to get a new one. Unlike a notification it does not disappear. */
export const SupportLinkError = ({ sentence }: { sentence: string }) => (
  <div className={classes.form}>
    <h1>Support view</h1>
    <EntryNote isCaution sentence={sentence}>
      <span>
        The operator of this server creates a new link; it works once, within 60 minutes. If you have a user of your
        own,{" "}
        <Link to="/login" className={classes.link}>
          log in
        </Link>{" "}
        instead.
      </span>
    </EntryNote>
  </div>
);

/** Calls `enter` once with the token of the address; a single-use token must not be sent twice, and React's strict mode runs effects twice. */
const useEnterOnce = (token: string, enter: (token: string) => void): void => {
  const isStarted = useRef(false);
  useEffect(() => {
    if (isStarted.current) return;
    isStarted.current = true;
    enter(token);
  }, [token, enter]);
};

/** Signs in and goes to the start page of the role. */
const useOpenSession = () => {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return async (user: UserInfo): Promise<void> => {
    openSession(queries, user);
    await navigate({ to: startPageOf(user), replace: true });
  };
};

/**
 * /adminLogin?token= opens a read-only support view. (decisions §5) An invalid link shows an error and leaves the session of this browser unchanged.
 */
export const SupportEntry = ({ token }: { token: string }) => {
  const open = useOpenSession();
  const support = useMutation<UserInfo, CallError, string>({
    mutationFn: (supportToken) => client(accounts.openSupportView, { supportToken }),
    onSuccess: open,
  });
  useEnterOnce(token, support.mutate);
  const { error, variables } = support;
  const isUnreachable = error instanceof UnreachableError;
  return (
    <EntryFrame title="Support view">
      {!error && <p role="status">Opening the support view</p>}
      {error && isUnreachable && <ErrorState error={error} onRetry={() => support.mutate(variables)} />}
      {error && !isUnreachable && <SupportLinkError sentence={error.message} />}
    </EntryFrame>
  );
};

/**
 * /dashboard?accessToken= continues with a session's token. (spec 1 §2) It replaces the session of this browser only once the server has accepted it:
 * otherwise any link to here would sign the user out. An invalid one leads to the login page, which leads on to the session that is there.
 */
export const TokenEntry = ({ accessToken }: { accessToken: string }) => {
  const navigate = useNavigate();
  const open = useOpenSession();
  const entry = useMutation<UserInfo, CallError, string>({
    mutationFn: (token) => createClient({ baseUrl: "", token: () => token })(accounts.info),
    onSuccess: open,
    onError: (error) => {
      if (error instanceof UnreachableError) return;
      if (error.code === Code.notSignedIn) warn(Message.loginAgain);
      else showFailure(error);
      void navigate({ to: "/login", replace: true });
    },
  });
  useEnterOnce(accessToken, entry.mutate);
  const { error } = entry;
  if (!(error instanceof UnreachableError)) return null;
  return (
    <EntryFrame title="Login">
      <ErrorState error={error} onRetry={() => entry.mutate(accessToken)} />
    </EntryFrame>
  );
};
