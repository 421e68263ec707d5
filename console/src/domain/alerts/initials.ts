import type { UserInfo } from "@telltale/contract/domains/people/accounts";

/** Two letters shown instead of a photo. */
export const initials = ({ firstName, lastName, email }: Pick<UserInfo, "firstName" | "lastName" | "email">): string =>
  ((firstName.charAt(0) + lastName.charAt(0)).trim() || email.slice(0, 2)).toUpperCase();

/** Two letters of a name as lists show it: those of its first and last word, or of an address. */
export const initialsOf = (name: string): string => {
  const words = name.split(/\s+/).filter(Boolean);
  const [first = "", last = ""] = [words.at(0), words.length > 1 ? words.at(-1) : ""];
  return (last === "" ? first.slice(0, 2) : first.charAt(0) + last.charAt(0)).toUpperCase();
};
