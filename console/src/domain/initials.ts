import type { UserInfo } from "@telltale/contract/domains/people/accounts";

/** Two letters shown instead of a photo. */
export const initials = ({ firstName, lastName, email }: Pick<UserInfo, "firstName" | "lastName" | "email">): string =>
  ((firstName.charAt(0) + lastName.charAt(0)).trim() || email.slice(0, 2)).toUpperCase();
