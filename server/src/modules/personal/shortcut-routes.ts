import type { Input } from "@telltale/contract/call/call";
import {
  conflicting,
  conflictMessage,
  type keyboard,
  maxShortcuts,
  type OwnShortcut,
  standardShortcuts,
  targetLabel,
} from "@telltale/contract/domains/people/personal";
import { audit } from "../../platform/database/audit.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { invalid, notFound } from "../../platform/http/api-error.ts";
import type { Caller } from "../../platform/http/caller.ts";
import type { Handlers } from "../../platform/http/mount.ts";
import type { World } from "../../world.ts";

/** The user's own shortcuts, in order of creation. */
const ownShortcuts = async (db: Database, userId: number): Promise<OwnShortcut[]> =>
  (
    await db.selectFrom("keyboard_shortcuts").selectAll().where("user_id", "=", userId).orderBy("shortcut_id").execute()
  ).map(({ shortcut_id, keys, target }) => ({ shortcutId: shortcut_id, keys, target }));

/** Whether the user has shortcuts turned on. */
const hasShortcuts = async (db: Database, userId: number): Promise<boolean> =>
  (await db.selectFrom("keyboard_settings").select("is_on").where("user_id", "=", userId).executeTakeFirst())?.is_on ??
  true;

/** Serialises changes of a user's shortcuts until the transaction ends. */
const lockShortcuts = async (db: Database, userId: number): Promise<void> => {
  await db.selectFrom("users").select("user_id").where("user_id", "=", userId).forNoKeyUpdate().execute();
};

type Needs = Pick<World, "db" | "clock">;

const shown = ({ keys, target }: { keys: string; target: string }) => ({ keys, opens: targetLabel(target) });

const save = async (db: Database, input: Input<typeof keyboard.edit>, userId: number): Promise<number> => {
  const { keys, target, shortcutId } = input;
  if (shortcutId === undefined) {
    const row = { user_id: userId, keys, target };
    const made = await db
      .insertInto("keyboard_shortcuts")
      .values(row)
      .returning("shortcut_id")
      .executeTakeFirstOrThrow();
    return made.shortcut_id;
  }
  await db.updateTable("keyboard_shortcuts").set({ keys, target }).where("shortcut_id", "=", shortcutId).execute();
  return shortcutId;
};

const editShortcut = ({ db, clock }: Needs, input: Input<typeof keyboard.edit>, { plantId, userId }: Caller) =>
  db.transaction().execute(async (trx) => {
    await lockShortcuts(trx, userId);
    const own = await ownShortcuts(trx, userId);
    const before = own.find(({ shortcutId }) => shortcutId === input.shortcutId);
    if (input.shortcutId !== undefined && !before) throw notFound();
    const taken = conflicting(input.keys, [...standardShortcuts, ...own.filter((each) => each !== before)]);
    if (taken) throw invalid(conflictMessage(taken));
    if (!before && own.length >= maxShortcuts) throw invalid(`At most ${maxShortcuts} shortcuts of your own`);
    const shortcutId = await save(trx, input, userId);
    const detail = { target: input.keys, ...(before && { before: shown(before) }), after: shown(input) };
    const action = before ? "shortcut.edit" : "shortcut.add";
    await audit(trx, { plantId, userId, action, detail, now: clock.date() });
    return { shortcutId };
  });

const removeShortcut = ({ db, clock }: Needs, shortcutId: number, { plantId, userId }: Caller): Promise<null> =>
  db.transaction().execute(async (trx) => {
    const gone = await trx
      .deleteFrom("keyboard_shortcuts")
      .where("shortcut_id", "=", shortcutId)
      .where("user_id", "=", userId)
      .returning(["keys", "target"])
      .executeTakeFirst();
    if (!gone) throw notFound();
    const detail = { target: gone.keys, before: shown(gone) };
    await audit(trx, { plantId, userId, action: "shortcut.delete", detail, now: clock.date() });
    return null;
  });

export const keyboardRoutes = (world: Needs): Handlers<typeof keyboard> => {
  const { db, clock } = world;
  return {
    list: async (_, { userId }) => ({
      isOn: await hasShortcuts(db, userId),
      shortcuts: await ownShortcuts(db, userId),
    }),
    edit: (input, caller) => editShortcut(world, input, caller),
    remove: ({ shortcutId }, caller) => removeShortcut(world, shortcutId, caller),
    enable: ({ isOn }, { plantId, userId }) =>
      db.transaction().execute(async (trx) => {
        await trx
          .insertInto("keyboard_settings")
          .values({ user_id: userId, is_on: isOn })
          .onConflict((found) => found.column("user_id").doUpdateSet({ is_on: isOn }))
          .execute();
        const action = isOn ? "shortcut.enable" : "shortcut.disable";
        await audit(trx, { plantId, userId, action, now: clock.date() });
        return null;
      }),
  };
};
