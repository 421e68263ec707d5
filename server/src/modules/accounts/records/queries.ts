import type { AccountRow, UserInfo } from "@telltale/contract/domains/people/accounts";
import { avatarAddress } from "@telltale/contract/domains/people/profile";
import { roleNames } from "@telltale/contract/permissions";
import { type Selectable, sql } from "kysely";
import type { Database, Schema } from "../../../platform/database/schema/schema.ts";

/** The user with this e-mail, ignoring case. */
export const userByEmail = (db: Database, email: string) =>
  db
    .selectFrom("users")
    .selectAll()
    .where(({ eb, fn }) => eb(fn<string>("lower", ["email"]), "=", email.trim().toLowerCase()))
    .executeTakeFirst();

/** The user's active accounts, last used first. */
export const activeAccounts = (db: Database, userId: number) =>
  db
    .selectFrom("accounts")
    .select(["account_id", "plant_id", "login_time"])
    .where("user_id", "=", userId)
    .where("activate", "=", true)
    .orderBy("login_time", (by) => by.desc().nullsLast())
    .orderBy("account_id")
    .execute();

/** SQL: ID of the device with which the user registered, or opened this account; null for none, and for an account in another's plant. */
const startingDevice = sql<string | null>`
  case when a.account_id = p.plant_id then coalesce(
    (select device_sn_id from devices where device_id = p.reserved_device_id),
    (select detail ->> 'deviceSnId' from audit_log
      where audit_log.plant_id = p.plant_id and action = 'user.register' order by audit_id limit 1)) end`;

const accountRecords = (db: Database, userId: number) =>
  db
    .selectFrom("accounts as a")
    .innerJoin("plants as p", "p.plant_id", "a.plant_id")
    .leftJoin("accounts as inviter", "inviter.account_id", "a.parent_account_id")
    .leftJoin("users as person", "person.user_id", "inviter.user_id")
    .select(["a.account_id", "a.account_no", "a.alias", "a.role_type", "a.user_id", "a.parent_account_id"])
    .select(["p.name as plant_name", "person.first_name", "person.last_name", "person.email"])
    .select(startingDevice.as("starting_device"))
    .where("a.user_id", "=", userId)
    .where("a.activate", "=", true)
    .orderBy("a.account_id")
    .execute();

const nameOf = (person: { first_name: string | null; last_name: string | null; email: string | null }): string =>
  [person.first_name, person.last_name].filter(Boolean).join(" ") || (person.email ?? "");

type AccountRecord = Awaited<ReturnType<typeof accountRecords>>[number];

/** An account as answered; `currentId` is the session's. */
const accountRow = (record: AccountRecord, currentId: number): AccountRow => ({
  accountId: record.account_id,
  accountNo: record.account_no,
  alias: record.alias,
  firstAlias: record.plant_name,
  roleName: roleNames[record.role_type],
  roleType: record.role_type,
  userId: record.user_id,
  isShow: record.account_id === currentId ? 1 : 0,
  parentAccountId: record.parent_account_id,
  createdBy: nameOf(record),
});

/** The signed-in session, as needed for the answer of `accounts.info`. */
export interface SignedIn {
  userId: number;
  accountId: number;
  isAdmin: boolean;
  token: string;
}

const quietHoursOf = ({ quiet_from: from, quiet_to: to, quiet_zone: timeZoneId }: Selectable<Schema["users"]>) =>
  from === null || to === null || timeZoneId === null ? null : { from, to, timeZoneId };

/** The signed-in user with their accounts, as answered by sign-in and `accounts.info`. */
export const userInfo = async (db: Database, { userId, accountId, isAdmin, token }: SignedIn): Promise<UserInfo> => {
  const user = await db.selectFrom("users").selectAll().where("user_id", "=", userId).executeTakeFirstOrThrow();
  const records = await accountRecords(db, userId);
  const activeIndex = records.findIndex((record) => record.account_id === accountId);
  return {
    token,
    userId,
    email: user.email,
    firstName: user.first_name,
    lastName: user.last_name,
    company: user.company,
    industry: user.industry,
    cellNumber: user.cell_number,
    avatar: avatarAddress(user.avatar),
    quietHours: quietHoursOf(user),
    hasInfo: [user.first_name, user.last_name, user.company, user.industry].every((text) => text !== ""),
    isAdmin,
    accounts: records.map((record) => accountRow(record, accountId)),
    activeIndex,
    telltaleSnId: records[activeIndex]?.starting_device ?? "",
  };
};
