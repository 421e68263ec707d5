import { useQueryClient } from "@tanstack/react-query";
import { Link, useLocation, useNavigate } from "@tanstack/react-router";
import type { UserInfo } from "@telltale/contract/accounts";
import { site } from "@telltale/contract/site";
import { EntryWays, entryLink } from "../../features/accounts/entry-fields.tsx";
import { EntryNote } from "../../features/accounts/entry-note.tsx";
import { LoginForm } from "../../features/accounts/login-form.tsx";
import { landingOf } from "../../session/landing.ts";
import { openSession } from "../../session/session.ts";
import { useCall } from "../../session/use-call.ts";
import type { Outcome } from "../outcome.ts";
import { EntryFrame } from "./entry-frame.tsx";

/** What became of a mailed link; where it failed, the ways to another. */
const Said = ({ isSuccess, sentence, email }: Outcome) => (
  <EntryNote isCaution={!isSuccess} sentence={sentence}>
    {!isSuccess && (
      <>
        <Link to="/loginEmail" search={{ email }} className={entryLink}>
          Resend
        </Link>{" "}
        the mail, or{" "}
        <Link to="/register" className={entryLink}>
          Register
        </Link>{" "}
        again.
      </>
    )}
  </EntryNote>
);

/** How soon the server is asked again when it has not answered, milliseconds. */
const askAgain = 3_000;

const Ways = () => {
  const { data } = useCall(
    site.info,
    {},
    {
      staleTime: Number.POSITIVE_INFINITY,
      // Whoever comes here because the server was away must not have to load the page again.
      refetchInterval: ({ state }) => (state.data === undefined ? askAgain : false),
    },
  );
  return (
    <EntryWays>
      <p>
        No account yet?{" "}
        <Link to="/register" className={entryLink}>
          Register
        </Link>{" "}
        with your Device ID.
      </p>
      {data?.hasOutbox && (
        <p>
          This is a demonstration: its mails are in the{" "}
          <Link to="/outbox" className={entryLink}>
            Outbox
          </Link>
          .
        </p>
      )}
    </EntryWays>
  );
};

/** Signs in and goes to where the user wanted to, or to the page that fits the role. */
export const LoginScreen = () => {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { from, outcome } = useLocation({ select: ({ state }) => state });
  const enter = (user: UserInfo) => {
    openSession(queries, user);
    void navigate({ href: from ?? landingOf(user), replace: true });
  };
  return (
    <EntryFrame title="Log IN">
      {outcome && <Said {...outcome} />}
      <LoginForm email={outcome?.email ?? ""} onSignedIn={enter} />
      <Ways />
    </EntryFrame>
  );
};
