import { Role } from "@telltale/contract/permissions";
import type { Database } from "../platform/database/schema/schema.ts";

/** E-mail addresses of the plant's active owners and admins, who are responsible for billing; without duplicates. */
export const ownersAndAdmins = async (db: Database, plantId: number): Promise<string[]> => {
  const people = await db
    .selectFrom("accounts")
    .innerJoin("users", "users.user_id", "accounts.user_id")
    .select("users.email")
    .distinct()
    .where("accounts.plant_id", "=", plantId)
    .where("accounts.role_type", "in", [Role.owner, Role.admin])
    .where("accounts.activate", "=", true)
    .where("accounts.removed_time", "is", null)
    .orderBy("users.email")
    .execute();
  return people.map(({ email }) => email);
};
