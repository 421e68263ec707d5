import type { OwnShortcut } from "@telltale/contract/keyboard";
import type { Database } from "../world.ts";

/** The user's own shortcuts, in the order in which they were made. */
export const ownShortcuts = async (db: Database, userId: number): Promise<OwnShortcut[]> =>
  (
    await db.selectFrom("keyboard_shortcuts").selectAll().where("user_id", "=", userId).orderBy("shortcut_id").execute()
  ).map(({ shortcut_id, keys, target }) => ({ shortcutId: shortcut_id, keys, target }));

/** Whether the user wants shortcuts at all. */
export const hasShortcuts = async (db: Database, userId: number): Promise<boolean> =>
  (await db.selectFrom("keyboard_settings").select("is_on").where("user_id", "=", userId).executeTakeFirst())?.is_on ??
  true;

/** Lets one change of a user's shortcuts follow the other until the transaction ends. */
export const lockShortcuts = async (db: Database, userId: number): Promise<void> => {
  await db.selectFrom("users").select("user_id").where("user_id", "=", userId).forNoKeyUpdate().execute();
};
