import { PasswordField } from "../../form/password-field.tsx";
import { useSession } from "../../session/session.ts";
import { ProfileForm } from "./profile-form.tsx";
import { useProfileForm } from "./use-profile-form.ts";

/** /changePassword. The user's other sessions end with the old password. */
export const PasswordForm = () => {
  const { email } = useSession().user;
  const state = useProfileForm((form) => form.props.ref.current?.reset());
  const { field } = state.form;
  return (
    <ProfileForm title="Change password" state={state}>
      {/* Tells a password manager whose password it is. */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordField {...field("originalPwd")} label="Current password" autoComplete="current-password" />
      <PasswordField
        {...field("newPwd")}
        label="New password"
        description="At least 8 characters. You stay signed in here and are signed out everywhere else."
        autoComplete="new-password"
      />
      <PasswordField {...field("confirmPwd")} label="Confirm new password" autoComplete="new-password" />
    </ProfileForm>
  );
};
