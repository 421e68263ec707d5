import { UnreachableError } from "@telltale/contract/call/client";
import { registration } from "@telltale/contract/domains/people/registration";
import { useCall } from "../../../session/use-call.ts";
import { ErrorState } from "../../../ui/page/message.tsx";
import { Link } from "../../../ui/router/link.tsx";
import classes from "../entry/entry-fields.module.css";
import { EntryAlternatives, EntryNote, entryLink } from "../entry/entry-fields.tsx";
import { JoinForm } from "./join-form.tsx";

/** Error for a link that was used, has expired, or belongs to another user. */
const Refused = ({ sentence }: { sentence: string }) => (
  <div className={classes.form}>
    <h1>Register</h1>
    <EntryNote isCaution sentence={sentence}>
      The person who invited you can send another.
    </EntryNote>
    <EntryAlternatives>
      <p>
        You have joined already?{" "}
        <Link to="/login" className={entryLink} reloadDocument>
          Log IN
        </Link>
      </p>
    </EntryAlternatives>
  </div>
);

interface InvitationProps {
  email: string;
  /** Secret of the mailed link. */
  secret: string;
  onJoined: () => void;
}

/** The invitation of a mailed link, with the form that accepts it. */
export const Invitation = ({ email, secret, onJoined }: InvitationProps) => {
  const { data, error, isPending, refetch } = useCall(
    registration.invitation,
    { email, accessToken: secret },
    // The form must not change while the user fills it in.
    { staleTime: Number.POSITIVE_INFINITY, meta: { isShownInPlace: true } },
  );
  if (data) return <JoinForm email={email} secret={secret} invitation={data} onJoined={onJoined} />;
  if (isPending) return <p role="status">Opening the invitation</p>;
  if (error instanceof UnreachableError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return <Refused sentence={error.message} />;
};
