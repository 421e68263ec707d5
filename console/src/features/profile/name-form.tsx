import { TextField } from "../../form/text-field.tsx";
import { useSession } from "../../session/session.ts";
import { ProfileForm } from "./profile-form.tsx";
import classes from "./profile-page.module.css";
import { useProfileForm } from "./use-profile-form.ts";

/** /name */
export const NameForm = () => {
  const { user } = useSession();
  const state = useProfileForm();
  return (
    <ProfileForm title="Name" state={state}>
      <div className={classes.pair}>
        <TextField
          {...state.form.field("firstName")}
          label="First name"
          defaultValue={user.firstName}
          autoComplete="given-name"
        />
        <TextField
          {...state.form.field("lastName")}
          label="Last name"
          defaultValue={user.lastName}
          autoComplete="family-name"
        />
      </div>
    </ProfileForm>
  );
};
