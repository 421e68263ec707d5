import { passwords } from "@telltale/contract/domains/people/registration";
import { FormMessage } from "../../../form/form-message.tsx";
import { Button } from "../../../ui/control/button.tsx";
import { useNavigate } from "../../../ui/router/hooks.ts";
import { Link } from "../../../ui/router/link.tsx";
import classes from "../entry/entry-fields.module.css";
import { EntryAlternatives, EntryEmail, entryLink } from "../entry/entry-fields.tsx";
import { EntryFrame } from "../entry/entry-frame.tsx";
import { useEntryForm } from "../entry/use-entry-form.ts";
import { useLinkParameters } from "../entry/use-link-parameters.ts";

interface AskResetFormProps {
  email: string;
  onSent: (email: string) => void;
}

/** Requests the mail for setting a new password. */
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
      <EntryAlternatives>
        <p>
          <Link to="/login" className={entryLink} reloadDocument>
            Back to Log IN
          </Link>
        </p>
      </EntryAlternatives>
    </form>
  );
};

/** The screen that requests a mail for setting a new password. */
export const ResetPasswordScreen = () => {
  const navigate = useNavigate();
  const { email } = useLinkParameters();
  const wait = (sentTo: string) => {
    void navigate({ to: "/resetPasswordEmail", search: { email: sentTo }, state: { sentAt: Date.now() } });
  };
  return (
    <EntryFrame title="Forgot password">
      <AskResetForm email={email} onSent={wait} />
    </EntryFrame>
  );
};
