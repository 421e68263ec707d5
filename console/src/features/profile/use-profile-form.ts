import { commonPassword } from "@telltale/contract/person-fields";
import { profile } from "@telltale/contract/profile";
import { type CallForm, useCallForm } from "../../form/use-call-form.ts";
import { useSaveProfile } from "./use-save-profile.ts";

export interface ProfileFormState {
  form: CallForm;
  save: ReturnType<typeof useSaveProfile>;
}

/** A form of one or some of the profile's fields, by their names in the contract. */
export const useProfileForm = (onSaved?: (form: CallForm) => void): ProfileFormState => {
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
