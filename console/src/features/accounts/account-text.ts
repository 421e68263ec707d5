import type { AccountRow, UserInfo } from "@telltale/contract/accounts";

/** 'Admin · Riverside Works', or with the number where an account has no alias. */
export const accountName = ({ roleName, alias, firstAlias, accountNo }: AccountRow): string =>
  `${roleName} · ${alias || firstAlias || accountNo}`;

/** The second line of another account: its number, unless the name says it already, and who invited. */
export const inviter = ({ alias, firstAlias, accountNo, createdBy }: AccountRow): string => {
  const number = alias || firstAlias ? accountNo : "";
  const invited = createdBy ? `invited by ${createdBy}` : "";
  const text = [number, invited].filter(Boolean).join(", ");
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** Two letters instead of a photo. */
export const initials = ({ firstName, lastName, email }: UserInfo): string =>
  ((firstName.charAt(0) + lastName.charAt(0)).trim() || email.slice(0, 2)).toUpperCase();
