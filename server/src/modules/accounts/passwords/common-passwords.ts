import { shortestPassword } from "@telltale/contract/domains/people/person-fields";

/** Passwords published in the README and by the demonstration. */
const published = ["telltale-demo"];

const load = async (): Promise<ReadonlySet<string>> => {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  const long = dictionary["passwords-common"].filter((word) => word.length >= shortestPassword);
  return new Set([...published, ...long]);
};

/** Loaded when a password is first set, to save memory. */
let common: Promise<ReadonlySet<string>> | undefined;

/** Whether a password is one of the most common ones, ignoring case and surrounding spaces. */
export const isCommonPassword = async (password: string): Promise<boolean> => {
  common ??= load();
  return (await common).has(password.normalize("NFKC").trim().toLowerCase());
};
