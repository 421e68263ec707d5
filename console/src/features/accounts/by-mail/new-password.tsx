import { Code } from "@telltale/contract/call/codes";
import { passwords } from "@telltale/contract/domains/people/registration";
import { FormMessage } from "../../../form/form-message.tsx";
import { leaveForLogin } from "../../../session/outcome.ts";
import { Button } from "../../../ui/control/button.tsx";
import { Link } from "../../../ui/router/link.tsx";
import classes from "../entry/entry-fields.module.css";
import { EntryAlternatives, EntryEmail, EntryPassword, entryLink } from "../entry/entry-fields.tsx";
import { EntryFrame } from "../entry/entry-frame.tsx";
import { useEntryForm } from "../entry/use-entry-form.ts";
import { useLinkParameters } from "../entry/use-link-parameters.ts";

interface NewPasswordFormProps {
  /** 'Set password' for a user who has none yet. */
  title: "Set password" | "Reset password";
  email: string;
  /** Secret of the mailed link. */
  secret: string;
  onSet: () => void;
}

/** Sets a new password with the mailed link. An invalid link shows an error with a link to request a new one. */
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
        <EntryAlternatives>
          <p>
            A link works once and for an hour.{" "}
            <Link to="/resetPassword" search={{ email }} className={entryLink}>
              Ask for a new one
            </Link>
          </p>
        </EntryAlternatives>
      )}
    </form>
  );
};

/** /forgetEdit?email=&accessToken=[&set] sets a new password with the mailed link. */
export const NewPasswordScreen = ({ set: isFirst }: { set: boolean }) => {
  const link = useLinkParameters();
  const title = isFirst ? "Set password" : "Reset password";
  const leave = () =>
    leaveForLogin({ isSuccess: true, sentence: "The new password is set. Log in with it", email: link.email });
  return (
    <EntryFrame title={title}>
      <NewPasswordForm title={title} {...link} onSet={leave} />
    </EntryFrame>
  );
};
