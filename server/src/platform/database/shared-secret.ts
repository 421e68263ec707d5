import { randomBytes } from "node:crypto";
import type { Database } from "./schema/schema.ts";

/**
 * A secret of 32 bytes that all nodes of this database share; made at its first use. It is read each time and never kept in memory: after a restore
 * the secret of the backup applies, and what was signed before that backup stays valid.
 */
export const sharedSecret = async (db: Database, name: string): Promise<Buffer> => {
  const read = db.selectFrom("shared_secrets").select("value").where("name", "=", name);
  const found = await read.executeTakeFirst();
  if (found) return found.value;
  // Two nodes may be first: the row that was inserted applies to both.
  const made = { name, value: randomBytes(32) };
  await db
    .insertInto("shared_secrets")
    .values(made)
    .onConflict((same) => same.doNothing())
    .execute();
  return (await read.executeTakeFirstOrThrow()).value;
};
