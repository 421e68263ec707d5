import { Role } from "@telltale/contract/permissions";
import { TextField } from "../../form/text-field.tsx";
import { useSession } from "../../session/session.ts";
import { ProfileForm } from "./profile-form.tsx";
import { useProfileForm } from "./use-profile-form.ts";

/** /alias: what the account in use is called. */
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
            ? "The name of your plant, as everybody who works in it sees it"
            : `What you call this account of yours, ${account.accountNo}`
        }
        defaultValue={account.alias || account.firstAlias}
        autoComplete="off"
      />
    </ProfileForm>
  );
};
