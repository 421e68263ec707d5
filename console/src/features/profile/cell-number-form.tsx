import { PhoneField } from "../../form/phone-field.tsx";
import { useSession } from "../../session/session.ts";
import { ProfileForm } from "./profile-form.tsx";
import { useProfileForm } from "./use-profile-form.ts";

/** /cellNumber */
export const CellNumberForm = () => {
  const { user } = useSession();
  const state = useProfileForm();
  return (
    <ProfileForm title="Mobile number" state={state}>
      <PhoneField
        field={state.form.field("cellNumber")}
        label="Mobile number"
        description="Digits only, 10 or 11"
        initial={user.cellNumber}
      />
    </ProfileForm>
  );
};
