import { commonPassword } from "@telltale/contract/domains/people/person-fields";
import { invalid } from "../../../platform/http/api-error.ts";
import { isCommonPassword } from "./common-passwords.ts";

/** Loaded at the first use: a server that nobody signs in to does without it. */
const argon2 = () => import("@node-rs/argon2");

/** The library's defaults are OWASP's argon2id parameters: 19 MiB, two passes, one lane. */
export const hashPassword = async (password: string): Promise<string> => (await argon2()).hash(password);

/** Refuses the most common passwords where one is set. */
export const checkNewPassword = async (password: string): Promise<void> => {
  if (await isCommonPassword(password)) throw invalid(commonPassword);
};

/** The hash of a password that somebody sets; refuses the most common ones. */
export const hashNewPassword = async (password: string): Promise<string> => {
  await checkNewPassword(password);
  return hashPassword(password);
};

let decoy: Promise<string> | undefined;

/** Whether the password is right. Without a hash (nobody has this e-mail, or has not set a password yet) it takes as long and is false. */
export const isPassword = async (hash: string | null | undefined, password: string): Promise<boolean> => {
  decoy ??= hashPassword("nobody has this password");
  const { verify } = await argon2();
  const matches = await verify(hash ?? (await decoy), password);
  return matches && typeof hash === "string";
};
