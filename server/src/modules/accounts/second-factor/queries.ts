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

/** Said of a code that is wrong or was used before. */
export const wrongCode = "The code is not right";

/** Bytes of a secret, as RFC 4226 recommends. */
const secretLength = 20;

/** Whether the user is asked for a code, and how many recovery codes are left. */
export const secondFactorState = async (db: Database, userId: number) => {
  const factor = await db
    .selectFrom("second_factors")
    .select(sql<number>`cardinality(recovery_codes)`.as("left"))
    .where("user_id", "=", userId)
    .where("is_on", "=", true)
    .executeTakeFirst();
  return { isOn: factor !== undefined, recoveryCodesLeft: factor?.left ?? 0 };
};

/** Gives the user a new secret, which counts for nothing until `turnOnSecondFactor`. */
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

/** Ten new codes to show once, and what is kept of them. */
const newRecoveryCodes = (): { shown: string[]; kept: Buffer[] } => {
  const codes = Array.from({ length: recoveryCodeCount }, () => recoveryCodeOf(randomBytes(recoveryCodeLength)));
  return { shown: codes.map(shownCode), kept: codes.map(hashOf) };
};

/** Asks for codes from now on, where this code proves that the app has the secret; gives the recovery codes. Undefined for a wrong code. */
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

/** Uses a step up; of two who come with its code at the same time one does. */
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

/** Uses a recovery code up, likewise. */
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

/** Whether the code is right, of the app or a recovery code, as it was typed. A right one is used up and never right again. */
export const useCode = (db: Database, userId: number, typed: string, now: Date): Promise<boolean> => {
  const code = normalCode(typed);
  return isAppCode(code) ? takeStep(db, userId, code, now) : takeRecoveryCode(db, userId, code);
};

/** Replaces the recovery codes; gives the new ones. */
export const renewRecoveryCodes = async (db: Database, userId: number): Promise<string[]> => {
  const { shown, kept } = newRecoveryCodes();
  await db.updateTable("second_factors").set({ recovery_codes: kept }).where("user_id", "=", userId).execute();
  return shown;
};

/** Asks for codes no longer. False when none was asked for. */
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

/** Tells the user by mail that the second factor was changed, so that nobody's is changed unseen. */
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
