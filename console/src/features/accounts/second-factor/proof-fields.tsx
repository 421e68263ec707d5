import { PasswordField } from "../../../form/password-field.tsx";
import { TextField } from "../../../form/text-field.tsx";
import type { CallForm } from "../../../form/use-call-form.ts";
import { useSession } from "../../../session/session.ts";

/** The password of the one who is signed in, who need not be the one at the keyboard. */
export const CurrentPassword = ({ form }: { form: CallForm }) => (
  <>
    {/* Tells a password manager whose password it is. */}
    <input type="text" autoComplete="username" value={useSession().user.email} readOnly hidden />
    <PasswordField
      {...form.field("password")}
      label="Current password"
      autoComplete="current-password"
      data-autofocus
    />
  </>
);

interface CodeFieldProps {
  form: CallForm;
  /** Also takes a recovery code, which has letters in it. */
  takesRecoveryCode?: boolean;
}

/** The code that the authenticator app shows. */
export const CodeField = ({ form, takesRecoveryCode = false }: CodeFieldProps) => (
  <TextField
    {...form.field("code")}
    label="Code"
    description={
      takesRecoveryCode
        ? "Six digits of your authenticator app, or a recovery code"
        : "Six digits of your authenticator app"
    }
    inputMode={takesRecoveryCode ? "text" : "numeric"}
    autoComplete="one-time-code"
    // The step before has taken the focus with it; in a dialog the password comes first.
    autoFocus={!takesRecoveryCode}
    autoCapitalize="none"
    spellCheck={false}
  />
);
