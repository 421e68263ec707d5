import { type Invitation, registration } from "@telltale/contract/domains/people/registration";
import { FormMessage } from "../../../form/form-message.tsx";
import { Button } from "../../../ui/control/button.tsx";
import classes from "../entry/entry-fields.module.css";
import { EntryAlternatives, EntryEmail, EntryPassword } from "../entry/entry-fields.tsx";
import { ProviderButton } from "../entry/provider-button.tsx";
import { type EntryForm, useEntryForm } from "../entry/use-entry-form.ts";
import { useSite } from "../entry/use-site.ts";
import { Terms, TermsField } from "./terms-field.tsx";

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

/** Who invites to what. */
const Invited = ({ invitedBy, plantName, roleName }: Invitation) => (
  <>
    <h1>Register</h1>
    <p>
      {invitedBy} invites you to <b>{plantName}</b> as {article(roleName)} <b>{roleName}</b>.
    </p>
  </>
);

/** Accepts an invitation by signing in through the provider, where the invited address has to be the user's. */
const JoinByProvider = ({
  name,
  email,
  secret,
  isMain,
}: {
  name: string;
  email: string;
  secret: string;
  isMain: boolean;
}) => (
  <div className={classes.form}>
    <ProviderButton name={name} visit={{ email, accessToken: secret }} isMain={isMain} />
    <EntryAlternatives>
      <p>
        With {name} you join as {email}, and agree with our <Terms />.
      </p>
    </EntryAlternatives>
  </div>
);

/** Accepts an invitation with a password. (spec 2 §5) */
const JoinByPassword = ({ email, secret, invitation, onJoined }: JoinFormProps) => {
  const form = useEntryForm(registration.join, onJoined);
  const { isRegistered } = invitation;
  return (
    <form {...form.props}>
      <Invited {...invitation} />
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

/** Accepts an invitation to a plant: with a password, through the provider of single sign-on, or as the user likes. */
export const JoinForm = (props: JoinFormProps) => {
  const { data } = useSite();
  const { email, secret, invitation } = props;
  const { singleSignOn: name = null, hasPasswords = true } = data ?? {};
  return (
    <>
      {hasPasswords ? (
        <JoinByPassword {...props} />
      ) : (
        <div className={classes.form}>
          <Invited {...invitation} />
        </div>
      )}
      {name !== null && <JoinByProvider {...{ name, email, secret }} isMain={!hasPasswords} />}
    </>
  );
};
