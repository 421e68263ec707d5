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
 * The user under this address; one without a password is made where there is none. A known user keeps the names. The row stays locked until the
 * transaction ends, so that two invitations of one person follow each other and the second finds the account of the first.
 */
export const userToInvite = async (db: Database, invitee: Invitee, now: Date): Promise<number> => {
  const known = await userByEmail(db, invitee.email);
  const userId = known?.user_id ?? (await insertUser(db, { ...invitee, passwordHash: null }, now));
  // Another made the user at the same moment, and has committed by now.
  if (userId === undefined) return userToInvite(db, invitee, now);
  await db.selectFrom("users").select("user_id").where("user_id", "=", userId).forNoKeyUpdate().execute();
  return userId;
};

/** The user's account in the plant, unless it was taken out. */
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
  /** What whoever invites calls them. */
  called: Omit<Invitee, "email">;
}

/** Writes what the invited are called until they have answered. */
export const callInvited = async (
  db: Database,
  accountId: number,
  { firstName, lastName, cellNumber }: Omit<Invitee, "email">,
): Promise<void> => {
  const names = { invited_first_name: firstName, invited_last_name: lastName, invited_cell_number: cellNumber };
  await db.updateTable("accounts").set(names).where("account_id", "=", accountId).execute();
};

/** An account that waits for its user's answer; one that was taken out before comes back, with its number. */
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
  await callInvited(db, accountId, called);
  return accountId;
};

/** Who it was, for those who are asked something in their name: what they call themselves, and the address that proves it. */
export const inviterName = async (db: Database, userId: number): Promise<string> => {
  const user = await db
    .selectFrom("users")
    .select(["first_name", "last_name", "email"])
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  const name = `${user.first_name} ${user.last_name}`.trim();
  return name === "" ? user.email : `${quoted(name)} (${user.email})`;
};
