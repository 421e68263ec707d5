import { Navigate, useLocation, useNavigate } from "@tanstack/react-router";
import type { Calls } from "@telltale/contract/call";
import { passwords } from "@telltale/contract/passwords";
import { registration } from "@telltale/contract/registration";
import type { ReactNode } from "react";
import { MailSent } from "../../features/accounts/mail-sent.tsx";
import { useAction } from "../../session/use-call.ts";
import { EntryFrame } from "./entry-frame.tsx";
import { useLinkParameters } from "./use-link-parameters.ts";

interface SentProps {
  /** Sends the mail once more. */
  call: Calls[string];
  /** Where the address is asked for, when the page was opened without one. */
  start: string;
  children: ReactNode;
}

const Sent = ({ call, start, children }: SentProps) => {
  const { email } = useLinkParameters();
  const sentAt = useLocation({ select: ({ state }) => state.sentAt });
  const navigate = useNavigate();
  const resend = useAction(call, {
    success: "Submitted successfully",
    onDone: () => void navigate({ to: ".", search: true, replace: true, state: { sentAt: Date.now() } }),
  });
  if (email === "") return <Navigate to={start} replace />;
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

/** /resetPasswordEmail, after asking for a new password. */
export const ResetSentScreen = () => (
  <Sent call={passwords.askReset} start="/resetPassword">
    The link in it lets you set a new password. It works once and for an hour. If nothing comes within some minutes,
    look among the junk mail, and whether this is the address of your account.
  </Sent>
);
