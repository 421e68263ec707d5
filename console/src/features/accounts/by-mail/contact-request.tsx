import { useMutation } from "@tanstack/react-query";
import { type CallError, UnreachableError } from "@telltale/contract/call/client";
import { ContactStatus, contacts, type ContactRequest as Request } from "@telltale/contract/domains/people/contacts";
import { FormMessage } from "../../../form/form-message.tsx";
import { client } from "../../../session/client.ts";
import { useCall } from "../../../session/use-call.ts";
import { Button } from "../../../ui/control/button.tsx";
import { ErrorState } from "../../../ui/page/message.tsx";
import classes from "../entry/entry-fields.module.css";
import { EntryNote } from "../entry/entry-fields.tsx";
import { EntryFrame } from "../entry/entry-frame.tsx";
import { useLinkParameters } from "../entry/use-link-parameters.ts";
import mail from "./mail-sent.module.css";

interface Link {
  email: string;
  /** Secret of the mailed link. */
  secret: string;
  /** The link came with an alert, or the contact opted out: it can only stop alerts. */
  isStop: boolean;
}

const { pending, verified, refused } = ContactStatus;

const outcomes = {
  [verified]: ({ plantName }: Request) => `You will receive the alerts of ${plantName}`,
  [refused]: ({ plantName }: Request) => `You will not receive the alerts of ${plantName}`,
};

/** The question before and after the recipient's name, and the label of the refusing button. */
const asking = { about: "May alerts be sent to", end: "?", no: "No, this was not me or I do not want alerts" };
const refusing = { about: "This plant asks whether alerts may be sent to", end: ".", no: "I do not want alerts" };
const stopping = { about: "Alerts are sent to", end: ".", no: "Stop these alerts" };

const Answered = ({ status, request }: { status: typeof verified | typeof refused; request: Request }) => (
  <div className={classes.form}>
    <h1>Alerts of {request.plantName}</h1>
    <EntryNote sentence={outcomes[status](request)}>
      {status === verified ? "Every mail explains how to stop them." : "This plant can't ask you again for 90 days."}
    </EntryNote>
  </div>
);

const Question = ({ link: { email, secret, isStop }, request }: { link: Link; request: Request }) => {
  const answer = useMutation<null, CallError, typeof verified | typeof refused>({
    mutationFn: (status) => client(contacts.answer, { accessToken: secret, email, status }),
  });
  if (answer.isSuccess) return <Answered status={answer.variables} request={request} />;
  if (isStop && request.status === refused) return <Answered status={refused} request={request} />;
  const words = isStop ? (request.status === pending ? refusing : stopping) : asking;
  return (
    <div className={classes.form}>
      <h1>Alerts of {request.plantName}</h1>
      <p>
        {words.about} {request.name}, <b>{email}</b>
        {words.end}
      </p>
      <FormMessage>{answer.error?.message}</FormMessage>
      <div className={mail.buttons}>
        {!isStop && (
          <Button
            className={classes.submit}
            fullWidth
            loading={answer.isPending}
            onClick={() => answer.mutate(verified)}
          >
            Yes, send me alerts
          </Button>
        )}
        <Button
          variant={isStop ? "filled" : "default"}
          className={classes.submit}
          fullWidth
          disabled={answer.isPending}
          onClick={() => answer.mutate(refused)}
        >
          {words.no}
        </Button>
      </div>
    </div>
  );
};

/**
 * The page of the link in a mail to a contact. Opening it does not answer the request, because mail scanners open links too: the answer is a button.
 */
export const ContactRequest = (link: Link) => {
  const { data, error, isPending, refetch } = useCall(
    contacts.request,
    { email: link.email, accessToken: link.secret },
    // The link is invalid once answered; the question stays on screen.
    { staleTime: Number.POSITIVE_INFINITY, meta: { isShownInPlace: true } },
  );
  if (data) return <Question link={link} request={data} />;
  if (isPending) return <p role="status">Opening the link</p>;
  if (error instanceof UnreachableError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <div className={classes.form}>
      <h1>Alerts</h1>
      <EntryNote isCaution sentence={error.message} />
    </div>
  );
};

/** /contact?accessToken=&email=[&stop=1]: whether a contact wants to receive a plant's alerts. */
export const ContactScreen = ({ stop }: { stop: string | undefined }) => {
  const link = useLinkParameters();
  return (
    <EntryFrame title="Alerts">
      <ContactRequest {...link} isStop={stop === "1"} />
    </EntryFrame>
  );
};
