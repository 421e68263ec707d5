import { useState } from "react";
import { useSession } from "../../../session/session.ts";

/** Goes on as another account; `changing` is the account it is on the way to, until the page is loaded afresh or it was refused. */
export const useAccountChange = () => {
  const { changeAccount } = useSession();
  const [changing, setChanging] = useState<number>();
  const change = async (accountId: number): Promise<void> => {
    setChanging(accountId);
    const hasLeft = await changeAccount(accountId);
    if (!hasLeft) setChanging(undefined);
  };
  return { changing, change };
};
