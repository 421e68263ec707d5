import { LinkedAccounts } from "../../features/accounts/linked-accounts.tsx";
import { useNewAccount } from "../use-new-account.tsx";

/** The user's accounts, and the way to a new one. */
export const AssociatedAccountScreen = () => {
  const newAccount = useNewAccount();
  return (
    <>
      <LinkedAccounts onCreate={newAccount.ask} />
      {newAccount.dialog}
    </>
  );
};
