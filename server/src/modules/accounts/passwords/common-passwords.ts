import { shortestPassword } from "@telltale/contract/domains/people/person-fields";

/** Printed in the README and by every start of the demonstration. */
const published = ["telltale-demo"];

const load = async (): Promise<ReadonlySet<string>> => {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  const long = dictionary["passwords-common"].filter((word) => word.length >= shortestPassword);
  return new Set([...published, ...long]);
};

/** Loaded when somebody sets a password: a server where nobody does so does without the list. */
let common: Promise<ReadonlySet<string>> | undefined;

/** Whether a password is among those that are tried first, in whichever case and with whatever spaces around it. */
export const isCommonPassword = async (password: string): Promise<boolean> => {
  common ??= load();
  return (await common).has(password.normalize("NFKC").trim().toLowerCase());
};
