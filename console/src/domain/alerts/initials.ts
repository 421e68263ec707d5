import type { UserInfo } from "@telltale/contract/domains/people/accounts";

/** Two letters shown instead of a photo. */
export const initials = ({ firstName, lastName, email }: Pick<UserInfo, "firstName" | "lastName" | "email">): string =>
  ((firstName.charAt(0) + lastName.charAt(0)).trim() || email.slice(0, 2)).toUpperCase();

/** A name with its first name as a letter, 'M. Okafor'; an address, or a single word, as it is. */
export const shortName = (name: string): string => {
  const words = name.split(/\s+/).filter(Boolean);
  return words.length > 1 ? `${name.charAt(0)}. ${words.at(-1)}` : name;
};

/** Two letters of a name as lists show it: those of its first and last word, or of an address. */
export const initialsOf = (name: string): string => {
  const words = name.split(/\s+/).filter(Boolean);
  const [first = "", last = ""] = [words.at(0), words.length > 1 ? words.at(-1) : ""];
  return (last === "" ? first.slice(0, 2) : first.charAt(0) + last.charAt(0)).toUpperCase();
};
