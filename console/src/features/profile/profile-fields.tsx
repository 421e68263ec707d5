import { commonPassword } from "@telltale/contract/domains/people/person-fields";
import { profile } from "@telltale/contract/domains/people/profile";
import { site } from "@telltale/contract/domains/people/site";
import { Role } from "@telltale/contract/permissions";
import type { ReactNode } from "react";
import { IndustryField } from "../../domain/industry-field.tsx";
import { FormMessage } from "../../form/form-message.tsx";
import { PasswordField } from "../../form/password-field.tsx";
import { PhoneField } from "../../form/phone-field.tsx";
import { fieldClasses, TextField, validationError } from "../../form/text-field.tsx";
import { type CallForm, useCallForm } from "../../form/use-call-form.ts";
import { useSession } from "../../session/session.ts";
import { useCall } from "../../session/use-call.ts";
import { Button } from "../../ui/control/button.tsx";
import classes from "./profile-page.module.css";
import { ProfilePage } from "./profile-page.tsx";
import { useSaveProfile } from "./use-save-profile.ts";

export interface ProfileFormState {
  form: CallForm;
  save: ReturnType<typeof useSaveProfile>;
}

/** A form with one or more of the profile's fields, by their names in the contract. */
const useProfileForm = (onSaved?: (form: CallForm) => void): ProfileFormState => {
  const save = useSaveProfile(onSaved && (() => onSaved(form)));
  const form = useCallForm(profile.update, (input) =>
    save.mutate(input, {
      onError: ({ message }) => {
        if (message === commonPassword) form.complain("newPwd", message);
      },
    }),
  );
  return { form, save };
};

interface ProfileFormProps {
  title: string;
  state: ProfileFormState;
  children: ReactNode;
}

/** An account screen with fields to save. Read-only in a support view. (spec 2 §6) */
const ProfileForm = ({ title, state: { form, save }, children }: ProfileFormProps) => {
  const isWritable = useSession().can("profile.write");
  return (
    <ProfilePage title={title}>
      <form {...form.props} method="post" onInput={() => save.isError && save.reset()}>
        <fieldset className={classes.fields} disabled={!isWritable}>
          {children}
        </fieldset>
        <FormMessage>{save.error?.message === commonPassword ? undefined : save.error?.message}</FormMessage>
        {isWritable && (
          <Button type="submit" className={classes.save} loading={save.isPending}>
            Save
          </Button>
        )}
      </form>
    </ProfilePage>
  );
};

/** /alias: the name of the current account. */
export const AliasForm = () => {
  const { account } = useSession();
  const state = useProfileForm();
  return (
    <ProfileForm title="Alias" state={state}>
      <TextField
        {...state.form.field("firstAlias")}
        label="Alias"
        description={
          account.roleType === Role.owner
            ? "The name of your plant, as all its users see it"
            : `Your own name for this account, ${account.accountNo}`
        }
        defaultValue={account.alias || account.firstAlias}
        autoComplete="off"
      />
    </ProfileForm>
  );
};

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

/** /industry */
export const IndustryForm = () => {
  const { user } = useSession();
  const state = useProfileForm();
  const { error, ...field } = state.form.field("industry");
  return (
    <ProfileForm title="Industry" state={state}>
      <IndustryField
        {...field}
        error={validationError(error)}
        defaultValue={user.industry || null}
        classNames={fieldClasses}
      />
    </ProfileForm>
  );
};

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

/** /changePassword. The user's other sessions end with the old password. */
export const PasswordForm = () => {
  const { email } = useSession().user;
  const state = useProfileForm((form) => form.props.ref.current?.reset());
  const { field } = state.form;
  const { data } = useCall(site.info, {}, { staleTime: Number.POSITIVE_INFINITY });
  return (
    <ProfileForm title="Change password" state={state}>
      {data?.hasPasswords === false && (
        <p className={classes.note}>
          Users of this server sign in through {data.singleSignOn}. Only the owner whom its operator named signs in with
          a password.
        </p>
      )}
      {/* Tells a password manager which user's password it is. */}
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
