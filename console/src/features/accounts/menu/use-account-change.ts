import { useState } from "react";
import { useSession } from "../../../session/session.ts";

/** Switches to another account; `changing` is the account being switched to, until the page reloads or the server refuses. */
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
