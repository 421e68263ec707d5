import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { queueMail } from "../../../notify/index.ts";
import type { Database } from "../../../platform/database/schema/schema.ts";
import { conflict } from "../../../platform/http/api-error.ts";
import type { World } from "../../../world.ts";
import { secondFactorLetter } from "../mail/letters.ts";
import { hashOf } from "../sign-in/sessions.ts";
import {
  isAppCode,
  normalCode,
  recoveryCodeCount,
  recoveryCodeLength,
  recoveryCodeOf,
  shownCode,
  stepOf,
} from "./rules.ts";

/** Error for a code that is wrong or already used. */
export const wrongCode = "The code is not right";

/** Bytes of a secret, as RFC 4226 recommends. */
const secretLength = 20;

/** Whether a code is required at sign-in, and how many recovery codes are left. */
export const secondFactorState = async (db: Database, userId: number) => {
  const factor = await db
    .selectFrom("second_factors")
    .select(sql<number>`cardinality(recovery_codes)`.as("left"))
    .where("user_id", "=", userId)
    .where("is_on", "=", true)
    .executeTakeFirst();
  return { isOn: factor !== undefined, recoveryCodesLeft: factor?.left ?? 0 };
};

/** Creates a new secret for the user, inactive until `turnOnSecondFactor`. */
export const newSecret = async (db: Database, userId: number, now: Date): Promise<Buffer> => {
  const secret = randomBytes(secretLength);
  const begun = { secret, last_step: 0, created_time: now };
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("second_factors")
    .values({ user_id: userId, ...begun })
    .onConflict((same) => same.column("user_id").doUpdateSet(begun).where("second_factors.is_on", "=", false))
    .executeTakeFirstOrThrow();
  if (!numInsertedOrUpdatedRows) throw conflict("The second factor is on already: turn it off first");
  return secret;
};

/** Ten new codes to show once, and their hashes to store. */
const newRecoveryCodes = (): { shown: string[]; kept: Buffer[] } => {
  const codes = Array.from({ length: recoveryCodeCount }, () => recoveryCodeOf(randomBytes(recoveryCodeLength)));
  return { shown: codes.map(shownCode), kept: codes.map(hashOf) };
};

/** Turns the second factor on if this code proves that the app has the secret; returns the recovery codes. Undefined for a wrong code. */
export const turnOnSecondFactor = async (
  db: Database,
  userId: number,
  code: string,
  now: Date,
): Promise<string[] | undefined> => {
  const factor = await db
    .selectFrom("second_factors")
    .select(["secret", "is_on"])
    .where("user_id", "=", userId)
    .forUpdate()
    .executeTakeFirst();
  if (!factor) throw conflict("Set the authenticator app up first");
  if (factor.is_on) throw conflict("The second factor is on already");
  const step = stepOf(factor.secret, normalCode(code), now.getTime());
  if (step === undefined) return undefined;
  const { shown, kept } = newRecoveryCodes();
  await db
    .updateTable("second_factors")
    .set({ is_on: true, last_step: step, recovery_codes: kept })
    .where("user_id", "=", userId)
    .execute();
  return shown;
};

/** Uses up the time step of a code; of two concurrent uses one succeeds. */
const takeStep = async (db: Database, userId: number, code: string, now: Date): Promise<boolean> => {
  const factor = await db
    .selectFrom("second_factors")
    .select("secret")
    .where("user_id", "=", userId)
    .where("is_on", "=", true)
    .executeTakeFirst();
  const step = factor && stepOf(factor.secret, code, now.getTime());
  if (step === undefined) return false;
  const { numUpdatedRows } = await db
    .updateTable("second_factors")
    .set({ last_step: step })
    .where("user_id", "=", userId)
    .where("is_on", "=", true)
    .where("last_step", "<", step)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Uses up a recovery code; of two concurrent uses one succeeds. */
const takeRecoveryCode = async (db: Database, userId: number, code: string): Promise<boolean> => {
  const hash = hashOf(code);
  const { numUpdatedRows } = await db
    .updateTable("second_factors")
    .set({ recovery_codes: sql<Buffer[]>`array_remove(recovery_codes, ${hash}::bytea)` })
    .where("user_id", "=", userId)
    .where("is_on", "=", true)
    .where(sql<boolean>`${hash}::bytea = any(recovery_codes)`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Whether a typed code, of the app or a recovery code, is correct. A correct code is used up. */
export const useCode = (db: Database, userId: number, typed: string, now: Date): Promise<boolean> => {
  const code = normalCode(typed);
  return isAppCode(code) ? takeStep(db, userId, code, now) : takeRecoveryCode(db, userId, code);
};

/** Replaces the recovery codes; returns the new ones. */
export const renewRecoveryCodes = async (db: Database, userId: number): Promise<string[]> => {
  const { shown, kept } = newRecoveryCodes();
  await db.updateTable("second_factors").set({ recovery_codes: kept }).where("user_id", "=", userId).execute();
  return shown;
};

/** Turns the second factor off. False when it was not on. */
export const dropSecondFactor = async (db: Database, userId: number): Promise<boolean> => {
  const dropped = await db
    .deleteFrom("second_factors")
    .where("user_id", "=", userId)
    .returning("is_on")
    .executeTakeFirst();
  return dropped?.is_on ?? false;
};

interface Change {
  userId: number;
  change: "on" | "off" | "renewed";
  now: Date;
}

/** Mails a notice that the second factor was changed, so that no change goes unnoticed. */
export const mailSecondFactorChange = async (
  db: Database,
  { publicUrl }: Pick<World, "publicUrl">,
  { userId, change, now }: Change,
): Promise<void> => {
  const { email } = await db
    .selectFrom("users")
    .select("email")
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  await queueMail(db, { recipient: email, letter: secondFactorLetter({ publicUrl }, change), now });
};
