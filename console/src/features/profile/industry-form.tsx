import { Select } from "@mantine/core";
import { industries } from "@telltale/contract/profile";
import { complaint, fieldClasses } from "../../form/text-field.tsx";
import { useSession } from "../../session/session.ts";
import { ProfileForm } from "./profile-form.tsx";
import { useProfileForm } from "./use-profile-form.ts";

/** /industry: one of the list, found by typing a part of it. */
export const IndustryForm = () => {
  const { user } = useSession();
  const state = useProfileForm();
  const { name, error, onInput } = state.form.field("industry");
  return (
    <ProfileForm title="Industry" state={state}>
      <Select
        name={name}
        data-field={name}
        label="Industry"
        placeholder="Choose or type"
        data={industries}
        defaultValue={user.industry || null}
        onChange={onInput}
        searchable
        openOnFocus={false}
        allowDeselect={false}
        maxDropdownHeight={300}
        nothingFoundMessage="No industry of this name"
        error={complaint(error)}
        classNames={fieldClasses}
      />
    </ProfileForm>
  );
};
