import { IndustryField } from "../../form/industry-field.tsx";
import { complaint, fieldClasses } from "../../form/text-field.tsx";
import { useSession } from "../../session/session.ts";
import { ProfileForm } from "./profile-form.tsx";
import { useProfileForm } from "./use-profile-form.ts";

/** /industry */
export const IndustryForm = () => {
  const { user } = useSession();
  const state = useProfileForm();
  const { error, ...field } = state.form.field("industry");
  return (
    <ProfileForm title="Industry" state={state}>
      <IndustryField
        {...field}
        error={complaint(error)}
        defaultValue={user.industry || null}
        classNames={fieldClasses}
      />
    </ProfileForm>
  );
};
