import type { Role } from "@telltale/contract/permissions";
import { quoted } from "../../../notify/letters/quoted.rules.ts";
import type { Database } from "../../../platform/database/schema/schema.ts";
import { createAccount, insertUser } from "../records/create.ts";
import { userByEmail } from "../records/queries.ts";

interface Invitee {
  email: string;
  firstName: string;
  lastName: string;
  cellNumber: string;
}

/**
 * Returns the user with this e-mail; creates one without a password if there is none. An existing user keeps the names. The row stays locked until
 * the transaction ends, so that of two concurrent invitations of one person the second finds the account of the first.
 */
export const userToInvite = async (db: Database, invitee: Invitee, now: Date): Promise<number> => {
  const known = await userByEmail(db, invitee.email);
  const userId = known?.user_id ?? (await insertUser(db, { ...invitee, passwordHash: null }, now));
  // Created by a concurrent transaction that has committed by now.
  if (userId === undefined) return userToInvite(db, invitee, now);
  await db.selectFrom("users").select("user_id").where("user_id", "=", userId).forNoKeyUpdate().execute();
  return userId;
};

/** The user's account in the plant, unless it was removed. */
export const accountOfUser = (db: Database, plantId: number, userId: number) =>
  db
    .selectFrom("accounts")
    .select("account_id")
    .where("plant_id", "=", plantId)
    .where("user_id", "=", userId)
    .where("removed_time", "is", null)
    .executeTakeFirst();

interface Member {
  userId: number;
  plantId: number;
  roleType: Role;
  dashboardId: number | null;
  /** The names given by the inviter. */
  called: Omit<Invitee, "email">;
}

/** Saves the names given by the inviter, until the invited user has answered. */
export const saveInvitedNames = async (
  db: Database,
  accountId: number,
  { firstName, lastName, cellNumber }: Omit<Invitee, "email">,
): Promise<void> => {
  const names = { invited_first_name: firstName, invited_last_name: lastName, invited_cell_number: cellNumber };
  await db.updateTable("accounts").set(names).where("account_id", "=", accountId).execute();
};

/** Creates an account that waits for its user's answer; a removed account is reactivated with its number. */
export const joinPlant = async (db: Database, member: Member, now: Date): Promise<number> => {
  const { userId, plantId, roleType, dashboardId, called } = member;
  const before = await db
    .updateTable("accounts")
    .set(({ eb }) => ({
      role_type: roleType,
      dashboard_id: dashboardId,
      activate: false,
      removed_time: null,
      created_time: now,
      version: eb("version", "+", 1),
    }))
    .where("plant_id", "=", plantId)
    .where("user_id", "=", userId)
    .returning("account_id")
    .executeTakeFirst();
  const accountId = before?.account_id ?? (await createAccount(db, { ...member, isActive: false }, now));
  await saveInvitedNames(db, accountId, called);
  return accountId;
};

/** Name and e-mail of the inviter, for the invited person; the e-mail proves the identity. */
export const inviterName = async (db: Database, userId: number): Promise<string> => {
  const user = await db
    .selectFrom("users")
    .select(["first_name", "last_name", "email"])
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  const name = `${user.first_name} ${user.last_name}`.trim();
  return name === "" ? user.email : `${quoted(name)} (${user.email})`;
};
