import { PasswordField } from "../../../form/password-field.tsx";
import { TextField } from "../../../form/text-field.tsx";
import type { CallForm } from "../../../form/use-call-form.ts";
import { useSession } from "../../../session/session.ts";

/** The password of the signed-in user, who may not be the person at the keyboard. */
export const CurrentPassword = ({ form }: { form: CallForm }) => (
  <>
    {/* Tells a password manager which user's password it is. */}
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
  /** Also accepts a recovery code, which contains letters. */
  takesRecoveryCode?: boolean;
}

/** A code of the authenticator app. */
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
    // The previous step took the focus with it; in a dialog the password comes first.
    autoFocus={!takesRecoveryCode}
    autoCapitalize="none"
    spellCheck={false}
  />
);
