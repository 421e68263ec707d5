import { Role } from "@telltale/contract/permissions";
import { sql } from "kysely";
import { addDefaultPlan } from "../../../alarms/index.ts";
import type { Database } from "../../../platform/database/schema/schema.ts";
import { conflict } from "../../../platform/http/api-error.ts";

export interface NewUser {
  email: string;
  /** Null for a user who was invited and has not answered yet. */
  passwordHash: string | null;
  firstName?: string;
  lastName?: string;
  company?: string;
  industry?: string;
  cellNumber?: string;
}

/** Creates a user without an account. Returns the user's id; undefined when the e-mail exists already, even if created concurrently. */
export const insertUser = async (db: Database, user: NewUser, now: Date): Promise<number | undefined> => {
  const inserted = await db
    .insertInto("users")
    .values({
      email: user.email,
      password_hash: user.passwordHash,
      first_name: user.firstName ?? "",
      last_name: user.lastName ?? "",
      company: user.company ?? "",
      industry: user.industry ?? "",
      cell_number: user.cellNumber ?? "",
      created_time: now,
    })
    .onConflict((same) => same.doNothing())
    .returning("user_id")
    .executeTakeFirst();
  return inserted?.user_id;
};

/** Like `insertUser`, but throws 409 when the e-mail exists. */
export const createUser = async (db: Database, user: NewUser, now: Date): Promise<number> => {
  const userId = await insertUser(db, user, now);
  if (userId === undefined) throw conflict("There is a user with this e-mail address already");
  return userId;
};

const nextAccountId = async (db: Database): Promise<number> => {
  const { rows } = await sql<{
    id: number;
  }>`select nextval(pg_get_serial_sequence('accounts', 'account_id')) as id`.execute(db);
  if (!rows[0]) throw new Error("The database gave no account id");
  return rows[0].id;
};

/** Account numbers have seven digits. */
const accountNo = (accountId: number): string => String(1_000_000 + accountId);

interface Owner {
  userId: number;
  plantName: string;
  timeZoneId?: string;
  /** Initial SMS credit; absent: the default. */
  firstSms?: number;
}

/** Creates a plant with its owner's account, whose id is the plant's id. Call in a transaction. Returns the id. */
export const createPlant = async (
  db: Database,
  { userId, plantName, timeZoneId = "UTC", firstSms }: Owner,
  now: Date,
): Promise<number> => {
  const id = await nextAccountId(db);
  await db
    .insertInto("accounts")
    .values({
      account_id: id,
      account_no: accountNo(id),
      user_id: userId,
      plant_id: id,
      role_type: Role.owner,
      alias: plantName,
      created_time: now,
    })
    .execute();
  const plant = { plant_id: id, name: plantName, time_zone_id: timeZoneId, created_time: now };
  await db
    .insertInto("plants")
    .values({ ...plant, ...(firstSms === undefined ? {} : { first_sms: firstSms }) })
    .execute();
  await addDefaultPlan(db, id, now);
  return id;
};

interface Member {
  userId: number;
  plantId: number;
  roleType: Role;
  alias?: string;
  dashboardId?: number | null;
  /** False until an invitation is answered. */
  isActive?: boolean;
}

/** Creates an account: a user's role in a plant. Returns its id. */
export const createAccount = async (db: Database, member: Member, now: Date): Promise<number> => {
  const id = await nextAccountId(db);
  await db
    .insertInto("accounts")
    .values({
      account_id: id,
      account_no: accountNo(id),
      user_id: member.userId,
      plant_id: member.plantId,
      role_type: member.roleType,
      alias: member.alias ?? "",
      parent_account_id: member.plantId,
      dashboard_id: member.dashboardId ?? null,
      activate: member.isActive ?? true,
      created_time: now,
    })
    .execute();
  return id;
};
