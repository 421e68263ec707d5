import { Link } from "@tanstack/react-router";
import { UnreachableError } from "@telltale/contract/call/client";
import { registration } from "@telltale/contract/domains/people/registration";
import { useCall } from "../../../session/use-call.ts";
import { ErrorState } from "../../../ui/page/message.tsx";
import classes from "../entry/entry-fields.module.css";
import { EntryNote, EntryWays, entryLink } from "../entry/entry-fields.tsx";
import { JoinForm } from "./join-form.tsx";

/** A link that was used, is too old, or is somebody else's. */
const Refused = ({ sentence }: { sentence: string }) => (
  <div className={classes.form}>
    <h1>Register</h1>
    <EntryNote isCaution sentence={sentence}>
      The person who invited you can send another.
    </EntryNote>
    <EntryWays>
      <p>
        You have joined already?{" "}
        <Link to="/login" className={entryLink} reloadDocument>
          Log IN
        </Link>
      </p>
    </EntryWays>
  </div>
);

interface InvitationProps {
  email: string;
  /** Of the mailed link. */
  secret: string;
  onJoined: () => void;
}

/** What the mailed link invites to, and the form that accepts. */
export const Invitation = ({ email, secret, onJoined }: InvitationProps) => {
  const { data, error, isPending, refetch } = useCall(
    registration.invitation,
    { email, accessToken: secret },
    // Nothing of the form may change while somebody fills it in.
    { staleTime: Number.POSITIVE_INFINITY, meta: { isSaid: true } },
  );
  if (data) return <JoinForm email={email} secret={secret} invitation={data} onJoined={onJoined} />;
  if (isPending) return <p role="status">Opening the invitation</p>;
  if (error instanceof UnreachableError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return <Refused sentence={error.message} />;
};
