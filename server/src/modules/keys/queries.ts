import type { ApiKeyRow } from "@telltale/contract/domains/people/api-keys";
import { Role } from "@telltale/contract/permissions";
import type { Database } from "../../platform/database/schema/schema.ts";
import type { Caller } from "../../platform/http/caller.ts";

type Reader = Pick<Caller, "plantId" | "accountId" | "roleType">;

/**
 * The keys that the caller sees and may revoke: their own; owner and admins those of the plant, but an admin not the owner's.
 */
const visibleKeys = (db: Database, { plantId, accountId, roleType }: Reader) => {
  const ofPlant = db
    .selectFrom("api_keys as k")
    .innerJoin("accounts as a", "a.account_id", "k.account_id")
    .where("a.plant_id", "=", plantId);
  if (roleType === Role.owner) return ofPlant;
  return ofPlant.where(({ eb, or }) =>
    or([eb("k.account_id", "=", accountId), ...(roleType === Role.admin ? [eb("a.role_type", ">", Role.owner)] : [])]),
  );
};

/** The keys that the caller sees, newest first. */
export const keyRows = async (db: Database, caller: Reader): Promise<ApiKeyRow[]> => {
  const rows = await visibleKeys(db, caller)
    .innerJoin("users as u", "u.user_id", "a.user_id")
    .selectAll("k")
    .select("u.email")
    .orderBy("k.api_key_id", "desc")
    .execute();
  return rows.map((row) => ({
    apiKeyId: row.api_key_id,
    keyName: row.key_name,
    beginning: row.beginning,
    roleType: row.role_type,
    readOnly: row.is_read_only,
    email: row.email,
    isOwn: row.account_id === caller.accountId,
    createdTime: row.created_time,
    expiresTime: row.expires_time,
    usedTime: row.used_time,
    usedAddress: row.used_address,
  }));
};

/** Deletes one of the keys that the caller sees; undefined when it is none. Returns its name and hash. */
export const deleteKey = (db: Database, apiKeyId: number, caller: Reader) =>
  db
    .deleteFrom("api_keys")
    .where("api_key_id", "in", visibleKeys(db, caller).where("k.api_key_id", "=", apiKeyId).select("k.api_key_id"))
    .returning(["key_name", "key_hash"])
    .executeTakeFirst();

/** Ends the keys of an account that is removed. Returns the bus event's `tokenHash` of each: emit `signOut` after the commit. */
export const revokeKeysOf = async (db: Database, accountId: number): Promise<string[]> => {
  const ended = await db.deleteFrom("api_keys").where("account_id", "=", accountId).returning("key_hash").execute();
  return ended.map(({ key_hash }) => key_hash.toString("hex"));
};
