import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Code } from "@telltale/contract/codes";
import { passwords } from "@telltale/contract/passwords";
import { FormMessage } from "../../form/form-message.tsx";
import classes from "./entry-fields.module.css";
import { EntryEmail, EntryPassword, EntryWays, entryLink } from "./entry-fields.tsx";
import { useEntryForm } from "./use-entry-form.ts";

interface NewPasswordFormProps {
  /** 'Set password' for somebody who never had one. */
  title: "Set password" | "Reset password";
  email: string;
  /** Of the mailed link. */
  secret: string;
  onSet: () => void;
}

/** Sets a new password by the mailed link. A link that works no longer says so, and leads to a new one. */
export const NewPasswordForm = ({ title, email, secret, onSet }: NewPasswordFormProps) => {
  const form = useEntryForm(passwords.reset, onSet);
  const incomplete = form.errors.accessToken ?? form.errors.email;
  const isLinkBad = incomplete !== undefined || form.refusal?.code === Code.invalid;
  return (
    <form {...form.props}>
      <h1>{title}</h1>
      <input type="hidden" name="accessToken" value={secret} />
      <EntryEmail name="email" value={email} readOnly />
      <EntryPassword {...form.field("newPwd")} label="New password" autoComplete="new-password" autoFocus />
      <EntryPassword {...form.field("confirmPwd")} label="Confirm password" autoComplete="new-password" />
      <FormMessage id="new-password-message">{incomplete ?? form.refusal?.message}</FormMessage>
      <Button type="submit" className={classes.submit} fullWidth loading={form.isPending}>
        {title}
      </Button>
      {isLinkBad && (
        <EntryWays>
          <p>
            A link works once and for an hour.{" "}
            <Link to="/resetPassword" search={{ email }} className={entryLink}>
              Ask for a new one
            </Link>
          </p>
        </EntryWays>
      )}
    </form>
  );
};
