import { Button } from "@mantine/core";
import { IconMail } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { site } from "@telltale/contract/site";
import type { ReactNode } from "react";
import { useCall } from "../../session/use-call.ts";
import { entryLink } from "./entry-fields.tsx";
import classes from "./mail-sent.module.css";
import { useSecondsUntil } from "./use-seconds-until.ts";
import { webMailOf } from "./web-mail.ts";

/** How long until a mail may be asked for again, milliseconds. */
const pause = 60_000;

/** The mail where it is read: at the provider of the address, or in a demonstration's outbox. */
const WayToMail = ({ email }: { email: string }) => {
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
  /** Epoch milliseconds; undefined when it is not known, as on a page that was opened by hand. */
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

/** A mail is on its way: to whom, what for, where to read it, and how to get another. (spec 2 §2) */
export const MailSent = ({ email, children, ...resend }: MailSentProps) => (
  <section className={classes.sent}>
    <h1>Read your mail</h1>
    <p role="status">
      A password reset email has been sent to <b>{email}</b>
    </p>
    <p className={classes.purpose}>{children}</p>
    <div className={classes.buttons}>
      <WayToMail email={email} />
      <Resend {...resend} />
      <Link to="/login" className={entryLink} reloadDocument>
        Login
      </Link>
    </div>
  </section>
);
