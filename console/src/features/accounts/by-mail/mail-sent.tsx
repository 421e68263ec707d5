import { IconMail } from "@tabler/icons-react";
import type { Calls } from "@telltale/contract/call/call";
import { passwords, registration } from "@telltale/contract/domains/people/registration";
import { site } from "@telltale/contract/domains/people/site";
import { type ReactNode, useEffect, useState } from "react";
import { useAction, useCall } from "../../../session/use-call.ts";
import { Button } from "../../../ui/control/button.tsx";
import { useLocation, useNavigate } from "../../../ui/router/hooks.ts";
import { Link, Navigate } from "../../../ui/router/link.tsx";
import { entryLink } from "../entry/entry-fields.tsx";
import { EntryFrame } from "../entry/entry-frame.tsx";
import { useLinkParameters } from "../entry/use-link-parameters.ts";
import classes from "./mail-sent.module.css";
import { webMailOf } from "./web-mail.ts";

const secondsUntil = (moment: number) => Math.max(0, Math.ceil((moment - Date.now()) / 1000));

/** Whole seconds until this time (epoch milliseconds), counting down; 0 when it has passed. */
export const useSecondsUntil = (moment: number): number => {
  const [, tick] = useState(0);
  const left = secondsUntil(moment);
  const isWaiting = left > 0;
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => tick((count) => count + 1), 250);
    return () => clearInterval(timer);
  }, [isWaiting]);
  return left;
};

/** Minimum time between two mails, milliseconds. */
const pause = 60_000;

/** Link to the mailbox: the provider's web mail, or a demonstration's outbox. */
const MailboxLink = ({ email }: { email: string }) => {
  const { data } = useCall(site.info, {}, { staleTime: Number.POSITIVE_INFINITY });
  const mail = data?.hasOutbox ? { name: "Outbox", address: "/outbox" } : webMailOf(email);
  if (!mail) return null;
  return (
    <Button
      component="a"
      href={mail.address}
      target="_blank"
      rel="noopener noreferrer"
      className={classes.button}
      leftSection={<IconMail size={18} aria-hidden />}
      fullWidth
    >
      Open {mail.name}
    </Button>
  );
};

interface ResendProps {
  /** Epoch milliseconds; undefined when unknown, for example when the page was opened directly. */
  sentAt: number | undefined;
  isBusy: boolean;
  onResend: () => void;
}

const Resend = ({ sentAt, isBusy, onResend }: ResendProps) => {
  const seconds = useSecondsUntil(sentAt === undefined ? 0 : sentAt + pause);
  return (
    <Button
      variant="default"
      className={classes.button}
      disabled={seconds > 0}
      loading={isBusy}
      onClick={onResend}
      fullWidth
    >
      {seconds > 0 ? `Resend in ${seconds} s` : "Resend"}
    </Button>
  );
};

interface MailSentProps extends ResendProps {
  email: string;
  /** What the link in the mail does. */
  children: ReactNode;
}

/** Confirms that a mail was sent: recipient, purpose, where to read it, and how to resend it. (spec 2 §2) */
export const MailSent = ({ email, children, ...resend }: MailSentProps) => (
  <section className={classes.sent}>
    <h1>Read your mail</h1>
    <p role="status">
      A password reset email has been sent to <b>{email}</b>
    </p>
    <p className={classes.purpose}>{children}</p>
    <div className={classes.buttons}>
      <MailboxLink email={email} />
      <Resend {...resend} />
      <Link to="/login" className={entryLink} reloadDocument>
        Login
      </Link>
    </div>
  </section>
);

interface SentProps {
  /** Resends the mail. */
  call: Calls[string];
  /** Page that asks for the address, for when this page was opened without one. */
  start: string;
  children: ReactNode;
}

const Sent = ({ call, start, children }: SentProps) => {
  const { email } = useLinkParameters();
  const sentAt = useLocation(({ state }) => state.sentAt);
  const navigate = useNavigate();
  const resend = useAction(call, {
    success: "Submitted successfully",
    onDone: () => void navigate({ to: ".", search: true, replace: true, state: { sentAt: Date.now() } }),
  });
  if (email === "") return <Navigate to={start} />;
  return (
    <EntryFrame title="Read your mail">
      <MailSent email={email} sentAt={sentAt} isBusy={resend.isPending} onResend={() => resend.mutate({ email })}>
        {children}
      </MailSent>
    </EntryFrame>
  );
};

/** /loginEmail, after registering. */
export const RegistrationSentScreen = () => (
  <Sent call={registration.resend} start="/register">
    The link in it confirms your e-mail address and completes the registration. It works once and for an hour. If
    nothing comes within some minutes, look among the junk mail.
  </Sent>
);

/** /resetPasswordEmail, after requesting a new password. */
export const ResetSentScreen = () => (
  <Sent call={passwords.askReset} start="/resetPassword">
    The link in it lets you set a new password. It works once and for an hour. If nothing comes within some minutes,
    look among the junk mail, and whether this is the address of your account.
  </Sent>
);
