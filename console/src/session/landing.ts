import type { AccountRow, UserInfo } from "@telltale/contract/domains/people/accounts";
import { Role } from "@telltale/contract/permissions";

/** The account of this session. A user always has one. */
export const currentAccount = (user: UserInfo): AccountRow => {
  const account = user.accounts.find(({ isShow }) => isShow === 1) ?? user.accounts[0];
  if (!account) throw new Error("The server sent a user without an account");
  return account;
};

/** The start page of a role: installers have no dashboard and start at the alerts. (spec 2 §6) */
export const startPageOf = (user: UserInfo): string =>
  currentAccount(user).roleType === Role.installer ? "/alarms" : "/";
