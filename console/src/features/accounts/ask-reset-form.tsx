import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { passwords } from "@telltale/contract/passwords";
import { FormMessage } from "../../form/form-message.tsx";
import classes from "./entry-fields.module.css";
import { EntryEmail, EntryWays, entryLink } from "./entry-fields.tsx";
import { useEntryForm } from "./use-entry-form.ts";

interface AskResetFormProps {
  email: string;
  onSent: (email: string) => void;
}

/** Asks for the mail that lets one set a new password. */
export const AskResetForm = ({ email, onSent }: AskResetFormProps) => {
  const form = useEntryForm(passwords.askReset, (_, input) => onSent(input.email ?? ""));
  return (
    <form {...form.props}>
      <h1>Forgot password</h1>
      <p>A mail with a link to set a new password is sent to the address of your account.</p>
      <EntryEmail {...form.field("email")} defaultValue={email} autoFocus />
      <FormMessage id="ask-reset-message">{form.refusal?.message}</FormMessage>
      <Button type="submit" className={classes.submit} fullWidth loading={form.isPending}>
        Send
      </Button>
      <EntryWays>
        <p>
          <Link to="/login" className={entryLink} reloadDocument>
            Back to Log IN
          </Link>
        </p>
      </EntryWays>
    </form>
  );
};
