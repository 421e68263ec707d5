import { LinkedAccounts } from "../../features/accounts/linked-accounts.tsx";
import { useNewAccount } from "../shell/use-new-account.tsx";

export { SecondFactor } from "../../features/accounts/second-factor/second-factor.tsx";
export { SignIns } from "../../features/accounts/sessions/session-list.tsx";
export { ApiKeys } from "../../features/keys/api-keys.tsx";
export { PhotoForm } from "../../features/profile/photo/photo-form.tsx";
/** The account screens share one chunk: each is small, and users often open several. */
export {
  AliasForm,
  CellNumberForm,
  CompanyForm,
  IndustryForm,
  NameForm,
  PasswordForm,
} from "../../features/profile/profile-fields.tsx";
export { QuietHoursScreen } from "../../features/profile/quiet-hours.tsx";

/** The user's accounts, and the button that creates one. */
export const AssociatedAccountScreen = () => {
  const newAccount = useNewAccount();
  return (
    <>
      <LinkedAccounts onCreate={newAccount.ask} />
      {newAccount.dialog}
    </>
  );
};
