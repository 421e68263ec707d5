import type { AccountRow } from "@telltale/contract/domains/people/accounts";

/** 'Admin · Riverside Works', or with the number where an account has no alias. */
export const accountName = ({ roleName, alias, firstAlias, accountNo }: AccountRow): string =>
  `${roleName} · ${alias || firstAlias || accountNo}`;

/** The second line of another account: its number, unless the name contains it, and who invited the user. */
export const inviter = ({ alias, firstAlias, accountNo, createdBy }: AccountRow): string => {
  const number = alias || firstAlias ? accountNo : "";
  const invited = createdBy ? `invited by ${createdBy}` : "";
  const text = [number, invited].filter(Boolean).join(", ");
  return text.charAt(0).toUpperCase() + text.slice(1);
};
