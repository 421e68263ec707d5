import { commonPassword } from "@telltale/contract/domains/people/person-fields";
import { invalid } from "../../../platform/http/api-error.ts";
import { isCommonPassword } from "./common-passwords.ts";

/** Loaded at the first use, to save memory. */
const argon2 = () => import("@node-rs/argon2");

/** The library's defaults are OWASP's argon2id parameters: 19 MiB, two passes, one lane. */
export const hashPassword = async (password: string): Promise<string> => (await argon2()).hash(password);

/** Rejects the most common passwords when one is set. */
export const checkNewPassword = async (password: string): Promise<void> => {
  if (await isCommonPassword(password)) throw invalid(commonPassword);
};

/** Hashes a new password; rejects the most common ones. */
export const hashNewPassword = async (password: string): Promise<string> => {
  await checkNewPassword(password);
  return hashPassword(password);
};

let decoy: Promise<string> | undefined;

/** Whether the password matches the hash. Without a hash (unknown e-mail, or no password yet) it takes as long and returns false. */
export const isPassword = async (hash: string | null | undefined, password: string): Promise<boolean> => {
  decoy ??= hashPassword("nobody has this password");
  const { verify } = await argon2();
  const matches = await verify(hash ?? (await decoy), password);
  return matches && typeof hash === "string";
};
