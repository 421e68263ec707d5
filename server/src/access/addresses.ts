import { Role } from "@telltale/contract/permissions";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../platform/database/schema/schema.ts";

/** E-mail addresses of the plant's active accounts with one of the roles, without duplicates. */
export const addressesOf = async (db: Database, plantId: number, roles: readonly Role[]): Promise<string[]> => {
  const people = await db
    .selectFrom("accounts")
    .innerJoin("users", "users.user_id", "accounts.user_id")
    .select("users.email")
    .distinct()
    .where("accounts.plant_id", "=", plantId)
    .where("accounts.role_type", "in", roles)
    .where("accounts.activate", "=", true)
    .where("accounts.removed_time", "is", null)
    .orderBy("users.email")
    .execute();
  return people.map(({ email }) => email);
};

/** E-mail addresses of the plant's active owners and admins, who are responsible for billing. */
export const ownersAndAdmins = (db: Database, plantId: number): Promise<string[]> =>
  addressesOf(db, plantId, [Role.owner, Role.admin]);

/** SQL: what a user is called: first and last name, and the mail address while no name is known; null where the joined `table` has no row. */
export const userNameIn = (table: "users" | "u"): RawBuilder<string | null> => {
  const [first, last, email] = [`${table}.first_name`, `${table}.last_name`, `${table}.email`].map((each) =>
    sql.ref(each),
  );
  return sql`coalesce(nullif(concat_ws(' ', nullif(trim(${first}), ''), nullif(trim(${last}), '')), ''), ${email})`;
};
