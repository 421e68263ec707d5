import { randomBytes } from "node:crypto";
import { when } from "../../platform/database/paging.ts";
import type { Database } from "../../platform/database/schema/schema.ts";

export const avatarContent = async (db: Database, name: string): Promise<Buffer | undefined> =>
  (await db.selectFrom("avatars").select("content").where("name", "=", name).executeTakeFirst())?.content;

/** Whether the user has uploaded this picture. */
export const isOwnAvatar = async (db: Database, userId: number, name: string): Promise<boolean> =>
  (await db
    .selectFrom("avatars")
    .select("name")
    .where("name", "=", name)
    .where("user_id", "=", userId)
    .executeTakeFirst()) !== undefined;

/** Removes pictures of the user other than this one. */
export const dropOtherAvatars = async (db: Database, userId: number, kept: string | null): Promise<void> => {
  await db
    .deleteFrom("avatars")
    .where("user_id", "=", userId)
    .$call(when(kept, (query, kept) => query.where("name", "!=", kept)))
    .execute();
};

/** Keeps a picture under a name that nobody can guess; what was uploaded before and never saved goes. Call it in a transaction. */
export const keepAvatar = async (db: Database, userId: number, content: Buffer, now: Date): Promise<string> => {
  // The row stays locked, so that of two uploads at once one picture is left.
  const user = await db
    .selectFrom("users")
    .select("avatar")
    .where("user_id", "=", userId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  await dropOtherAvatars(db, userId, user.avatar);
  const name = randomBytes(32).toString("base64url");
  await db.insertInto("avatars").values({ name, user_id: userId, content, created_time: now }).execute();
  return name;
};
