import { type Invitation, registration } from "@telltale/contract/domains/people/registration";
import { FormMessage } from "../../../form/form-message.tsx";
import { Button } from "../../../ui/control/button.tsx";
import classes from "../entry/entry-fields.module.css";
import { EntryEmail, EntryPassword } from "../entry/entry-fields.tsx";
import { type EntryForm, useEntryForm } from "../entry/use-entry-form.ts";
import { TermsField } from "./terms-field.tsx";

const article = (word: string): string => (/^[aeiou]/i.test(word) ? "an" : "a");

/** A new user sets a password and agrees to the terms; a registered user enters theirs. */
const Fields = ({ form, isRegistered }: { form: EntryForm; isRegistered: boolean }) =>
  isRegistered ? (
    <EntryPassword
      {...form.field("password")}
      label="Password"
      description="You already have an account with this e-mail address. Enter its password."
      autoComplete="current-password"
      autoFocus
    />
  ) : (
    <>
      <EntryPassword {...form.field("password")} label="Password" autoComplete="new-password" autoFocus />
      <EntryPassword {...form.field("confirmPassword")} label="Confirm password" autoComplete="new-password" />
      <TermsField field={form.field("terms")} />
    </>
  );

interface JoinFormProps {
  email: string;
  /** Secret of the mailed link. */
  secret: string;
  invitation: Invitation;
  onJoined: () => void;
}

/** Accepts an invitation to a plant. (spec 2 §5) */
export const JoinForm = ({ email, secret, invitation, onJoined }: JoinFormProps) => {
  const form = useEntryForm(registration.join, onJoined);
  const { invitedBy, plantName, roleName, isRegistered } = invitation;
  return (
    <form {...form.props}>
      <h1>Register</h1>
      <p>
        {invitedBy} invites you to <b>{plantName}</b> as {article(roleName)} <b>{roleName}</b>.
      </p>
      <input type="hidden" name="accessToken" value={secret} />
      <EntryEmail {...form.field("email")} value={email} readOnly />
      <Fields form={form} isRegistered={isRegistered} />
      <FormMessage id="join-message">{form.errors.accessToken ?? form.refusal?.message}</FormMessage>
      <Button type="submit" className={classes.submit} fullWidth loading={form.isPending}>
        {isRegistered ? "Join" : "Register"}
      </Button>
    </form>
  );
};
