import { randomBytes } from "node:crypto";
import { when } from "../../platform/database/paging.ts";
import type { Database } from "../../platform/database/schema/schema.ts";

/** The content of an uploaded picture; undefined when there is none with this name. */
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

/** Removes the user's other pictures. */
export const dropOtherAvatars = async (db: Database, userId: number, kept: string | null): Promise<void> => {
  await db
    .deleteFrom("avatars")
    .where("user_id", "=", userId)
    .$call(when(kept, (query, kept) => query.where("name", "!=", kept)))
    .execute();
};

/** Stores a picture under an unguessable name; earlier unsaved uploads are removed. Call in a transaction. */
export const keepAvatar = async (db: Database, userId: number, content: Buffer, now: Date): Promise<string> => {
  // Locks the row, so that of two concurrent uploads one picture is left.
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
