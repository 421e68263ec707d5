import { addDevicePath } from "@telltale/contract/domains/fleet/add-device-link";
import { registration } from "@telltale/contract/domains/people/registration";
import { FormMessage } from "../../../form/form-message.tsx";
import { leaveForLogin } from "../../../session/outcome.ts";
import { Button } from "../../../ui/control/button.tsx";
import { useLocation, useNavigate } from "../../../ui/router/hooks.ts";
import { Link } from "../../../ui/router/link.tsx";
import classes from "../entry/entry-fields.module.css";
import { EntryAlternatives, EntryEmail, EntryPassword, EntryText, entryLink } from "../entry/entry-fields.tsx";
import { EntryFrame } from "../entry/entry-frame.tsx";
import { useEntryForm } from "../entry/use-entry-form.ts";
import { useLinkParameters } from "../entry/use-link-parameters.ts";
import { Invitation } from "./invitation.tsx";
import { TermsField } from "./terms-field.tsx";

/** The device ID of the label that was scanned, from the address that the user wanted to open; empty when it was another. */
const labelled = (from: string | undefined): string => {
  const { pathname, searchParams } = new URL(from ?? "/", window.location.origin);
  return pathname === addDevicePath ? (searchParams.get("id") ?? "") : "";
};

interface RegisterFormProps {
  email: string;
  /** The mail was sent to this address. */
  onSent: (email: string) => void;
}

/** Registers the owner of a plant with an unclaimed device. (spec 2 §5) */
export const RegisterForm = ({ email, onSent }: RegisterFormProps) => {
  const form = useEntryForm(registration.register, (_, input) => onSent(input.email ?? ""));
  const deviceSnId = useLocation(({ state }) => labelled(state.from));
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return (
    <form {...form.props}>
      <h1>Register</h1>
      <input type="hidden" name="timeZoneId" value={timeZone} />
      <EntryEmail {...form.field("email")} defaultValue={email} autoFocus />
      <EntryText
        {...form.field("telltaleId")}
        label="Device ID"
        defaultValue={deviceSnId}
        description="Printed on the unit's label"
        className={classes.deviceId}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
      />
      <EntryPassword {...form.field("password")} label="Password" autoComplete="new-password" />
      <EntryPassword {...form.field("confirmPassword")} label="Confirm password" autoComplete="new-password" />
      <TermsField field={form.field("terms")} />
      <FormMessage id="register-message">{form.refusal?.message}</FormMessage>
      <Button type="submit" className={classes.submit} fullWidth loading={form.isPending}>
        Register
      </Button>
      <EntryAlternatives>
        <p>
          You have an account?{" "}
          <Link to="/login" className={entryLink} reloadDocument>
            Log IN
          </Link>
        </p>
      </EntryAlternatives>
    </form>
  );
};

/** The registration screen: with an unclaimed device, or by the link of an invitation. */
export const RegisterScreen = () => {
  const navigate = useNavigate();
  const { email, secret } = useLinkParameters();
  const wait = (sentTo: string) => {
    void navigate({ to: "/loginEmail", search: { email: sentTo }, state: { sentAt: Date.now() } });
  };
  const join = () => leaveForLogin({ isSuccess: true, sentence: "Registered successfully", email });
  return (
    <EntryFrame title="Register">
      {secret ? (
        <Invitation email={email} secret={secret} onJoined={join} />
      ) : (
        <RegisterForm email={email} onSent={wait} />
      )}
    </EntryFrame>
  );
};
