import { queueMail } from "../../../notify/index.ts";
import { audit } from "../../../platform/database/audit.ts";
import type { Database } from "../../../platform/database/schema/schema.ts";
import { conflict, invalid } from "../../../platform/http/api-error.ts";
import type { Caller } from "../../../platform/http/caller.ts";
import { createAttempts } from "../../../platform/limits/create-attempts.ts";
import type { World } from "../../../world.ts";
import { passwordChangedLetter } from "../mail/letters.ts";
import { endMailLinks } from "../mail/links.ts";
import { endSignIns } from "../sign-in/sessions.ts";
import { hashNewPassword, isPassword } from "./password.ts";
import { checkPasswordOf } from "./policy.ts";

/** Most wrong passwords of a signed-in user per window, in milliseconds; the same as at sign-in. */
const limit = { most: 10, window: 300_000 };

const noPassword = "You sign in by single sign-on and have no password here";

/** Checks a signed-in user's password; returns its hash. */
export type PasswordConfirmation = (userId: number, password: string) => Promise<string>;

/** Creates the password confirmation, which keeps a person at an unlocked browser from taking over the account or guessing the password. */
export const createPasswordConfirmation = (
  world: Pick<World, "db" | "pool" | "clock" | "node" | "passwords">,
): PasswordConfirmation => {
  const { db } = world;
  const tries = createAttempts(world, "passwords of a signed-in user", limit);
  return async (userId, password) => {
    const key = String(userId);
    await tries.count(key);
    const found = db.selectFrom("users").select(["email", "password_hash"]).where("user_id", "=", userId);
    const { email, password_hash } = await found.executeTakeFirstOrThrow();
    await checkPasswordOf(world, email);
    if (password_hash === null) throw invalid(noPassword);
    if (!(await isPassword(password_hash, password))) throw invalid("The current password is incorrect");
    await tries.forget(key);
    return password_hash;
  };
};

/** Hashes of the old password and of its replacement. */
interface ReadyPassword {
  oldHash: string;
  newHash: string;
}

/** Does the slow work before the transaction: checks the old password and hashes the new one. */
export const readyPassword = async (
  confirm: PasswordConfirmation,
  { userId }: Pick<Caller, "userId">,
  password: string,
  newPassword: string,
): Promise<ReadyPassword> => {
  const oldHash = await confirm(userId, password);
  return { oldHash, newHash: await hashNewPassword(newPassword) };
};

/**
 * Replaces the password, ends other sessions and open reset links, and queues a mail about it. Returns the token hashes of the ended sessions. Call
 * in a transaction.
 */
export const changePassword = async (
  trx: Database,
  { clock, publicUrl }: Pick<World, "clock" | "publicUrl">,
  { userId, plantId, tokenHash }: Caller,
  { oldHash, newHash }: ReadyPassword,
): Promise<string[]> => {
  const now = clock.date();
  const user = await trx
    .updateTable("users")
    .set({ password_hash: newHash })
    .where("user_id", "=", userId)
    .where("password_hash", "=", oldHash)
    .returning("email")
    .executeTakeFirst();
  if (!user) throw conflict("The password has been changed meanwhile. Please sign in again");
  await endMailLinks(trx, "reset", user.email);
  await audit(trx, { plantId, userId, action: "password.change", now });
  await queueMail(trx, { recipient: user.email, letter: passwordChangedLetter({ publicUrl }), now });
  return endSignIns(trx, { userId, exceptTokenHash: tokenHash }, now);
};
