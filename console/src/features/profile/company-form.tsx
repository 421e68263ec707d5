import { TextField } from "../../form/text-field.tsx";
import { useSession } from "../../session/session.ts";
import { ProfileForm } from "./profile-form.tsx";
import { useProfileForm } from "./use-profile-form.ts";

/** /company */
export const CompanyForm = () => {
  const { user } = useSession();
  const state = useProfileForm();
  return (
    <ProfileForm title="Company" state={state}>
      <TextField
        {...state.form.field("company")}
        label="Company name"
        defaultValue={user.company}
        autoComplete="organization"
      />
    </ProfileForm>
  );
};
