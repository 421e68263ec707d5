import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { CallError } from "@telltale/contract/call/client";
import type { UserInfo } from "@telltale/contract/domains/people/accounts";
import { singleSignOn } from "@telltale/contract/domains/people/single-sign-on";
import { useEffect, useRef } from "react";
import { client } from "../../../session/client.ts";
import { startPageOf } from "../../../session/landing.ts";
import { openSession } from "../../../session/session.ts";
import { endProviderVisit, providerVisit } from "../../../session/single-sign-on.ts";
import { useNavigate } from "../../../ui/router/hooks.ts";
import { Link } from "../../../ui/router/link.tsx";
import classes from "./entry-fields.module.css";
import { EntryAlternatives, EntryNote, entryLink } from "./entry-fields.tsx";
import { EntryFrame } from "./entry-frame.tsx";
import { ProviderButton } from "./provider-button.tsx";
import { useLinkParameters } from "./use-link-parameters.ts";
import { useSite } from "./use-site.ts";

/** Why the sign-in failed, in the server's words, and how to go on. */
export const ProviderFailure = ({ sentence }: { sentence: string }) => {
  const { data } = useSite();
  return (
    <div className={classes.form}>
      <h1>Log IN</h1>
      <EntryNote isCaution sentence={sentence} />
      {data?.singleSignOn && <ProviderButton name={data.singleSignOn} visit={providerVisit()} isMain isAgain />}
      <EntryAlternatives>
        <p>
          <Link to="/login" className={entryLink}>
            Back to Log IN
          </Link>
        </p>
      </EntryAlternatives>
    </div>
  );
};

/** /sso is the page to which the provider sends the browser back: signs in, or says why not. */
export const ProviderReturnScreen = () => {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { secret: answer } = useLinkParameters();
  const finish = useMutation<UserInfo, CallError>({
    mutationFn: () => {
      const { email, accessToken } = providerVisit();
      return client(singleSignOn.finish, { answer, ...(email && accessToken ? { email, accessToken } : {}) });
    },
    onSuccess: (user) => {
      const { from } = providerVisit();
      endProviderVisit();
      openSession(queries, user);
      void navigate({ href: from ?? startPageOf(user), replace: true });
    },
  });
  const isStarted = useRef(false);
  const { mutate } = finish;
  useEffect(() => {
    // An answer counts once, and React's strict mode runs effects twice.
    if (isStarted.current) return;
    isStarted.current = true;
    mutate();
  }, [mutate]);
  return (
    <EntryFrame title="Log IN">
      {finish.error ? <ProviderFailure sentence={finish.error.message} /> : <p role="status">Signing in</p>}
    </EntryFrame>
  );
};
