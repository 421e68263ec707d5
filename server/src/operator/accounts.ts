import { Role } from "@telltale/contract/permissions";
import {
  activeAccounts,
  createSupportLink,
  dropIdentities,
  dropSecondFactor,
  mailSecondFactorChange,
  userByEmail,
} from "../modules/accounts/index.ts";
import { audit } from "../platform/database/audit.ts";
import type { Database } from "../platform/database/schema/schema.ts";
import { OperatorError } from "../platform/operator-error.ts";
import type { Operator } from "./open.ts";
import type { Row } from "./print.ts";

const userOf = async (db: Database, email: string) => {
  const user = await userByEmail(db, email);
  if (!user) throw new OperatorError(`There is no user ${email}`);
  return user;
};

/** The plants that the user owns, with their numbers, oldest first. */
export const ownedPlants = (db: Database, userId: number) =>
  db
    .selectFrom("accounts as a")
    .innerJoin("plants as p", "p.plant_id", "a.plant_id")
    .select(["p.plant_id", "p.name", "a.account_no"])
    .where("a.user_id", "=", userId)
    .where("a.role_type", "=", Role.owner)
    .orderBy("p.plant_id")
    .execute();

/** The plant that the user owns; `plant` chooses by name or number when there are several. */
export const plantOf = async (db: Database, ownerEmail: string, plant?: string) => {
  const { user_id: userId } = await userOf(db, ownerEmail);
  const owned = await ownedPlants(db, userId);
  const wanted = plant === undefined ? owned : owned.filter((one) => one.name === plant || one.account_no === plant);
  const [only, second] = wanted;
  if (!only) throw new OperatorError(`${ownerEmail} owns no plant${plant ? ` ${plant}` : ""}`);
  if (second)
    throw new OperatorError(
      `${ownerEmail} owns several plants: choose by name or number with --plant ${wanted.map((one) => `'${one.name}' (${one.account_no})`).join(" or ")}`,
    );
  return { plantId: only.plant_id, userId };
};

/** Removes a user's second factor; verify the requester's identity first. Audited with `madeBy`. */
export const resetSecondFactor = async (
  { db, clock, publicUrl }: Operator,
  email: string,
  madeBy: string,
): Promise<Row[]> => {
  const user = await userOf(db, email);
  await db.transaction().execute(async (trx) => {
    if (!(await dropSecondFactor(trx, user.user_id))) throw new OperatorError(`${user.email} has no second factor`);
    const now = clock.date();
    const reset = { plantId: null, userId: user.user_id, action: "secondFactor.reset", detail: { madeBy } };
    await audit(trx, { ...reset, now });
    await mailSecondFactorChange(trx, { publicUrl }, { userId: user.user_id, change: "off", now });
  });
  return [{ email: user.email, secondFactor: "off" }];
};

/**
 * Frees a user from the identity of single sign-on: the next one with the user's verified address takes it. For a person who got a new user at the
 * provider; verify who asks first. Audited with `madeBy`.
 */
export const resetIdentity = async ({ db, clock }: Operator, email: string, madeBy: string): Promise<Row[]> => {
  const user = await userOf(db, email);
  await db.transaction().execute(async (trx) => {
    if (!(await dropIdentities(trx, user.user_id)))
      throw new OperatorError(`${user.email} has not signed in by single sign-on`);
    const reset = { plantId: null, userId: user.user_id, action: "user.resetIdentity", detail: { madeBy } };
    await audit(trx, { ...reset, now: clock.date() });
  });
  return [{ email: user.email, singleSignOn: "free" }];
};

/**
 * Creates a link for a support view of the user's console: can be opened once, within 60 minutes; read-only, for 60 minutes; audited. The plant's
 * owner sees `madeBy`.
 */
export const supportLink = async (operator: Operator, email: string, madeBy: string): Promise<Row[]> => {
  const { user_id } = await userOf(operator.db, email);
  const [account] = await activeAccounts(operator.db, user_id);
  if (!account) throw new OperatorError(`${email} has no active account`);
  const { account_id: accountId, plant_id: plantId } = account;
  const token = await createSupportLink(operator, { accountId, userId: user_id, plantId, madeBy });
  return [{ link: `${operator.publicUrl}/adminLogin?token=${token}` }];
};
