import type { Caller, Visitor } from "../http/caller.ts";
import type { Database, World } from "../world.ts";
import type { SignedIn } from "./queries.ts";
import { hashOf, newToken } from "./token.ts";

/** A support view ends after this long, in milliseconds. (decisions §5) */
export const supportViewLength = 3_600_000;

interface NewSignIn {
  userId: number;
  accountId: number;
  /** A read-only support view, which ends at `ends`. */
  isAdmin?: boolean;
  ends?: Date | null;
}

/** Signs in to an account: the token is given out once and only its hash is kept. */
export const signIn = async (db: Database, now: Date, visitor: Visitor, wanted: NewSignIn): Promise<SignedIn> => {
  const { userId, accountId, isAdmin = false, ends = null } = wanted;
  const token = newToken();
  await db
    .insertInto("sign_ins")
    .values({
      token_hash: hashOf(token),
      user_id: userId,
      account_id: accountId,
      is_admin: isAdmin,
      address: visitor.address,
      user_agent: visitor.userAgent,
      created_time: now,
      used_time: now,
      ends_time: ends,
    })
    .execute();
  // Support leaves no trace in what the plant sees of its own people; the audit log has it.
  if (!isAdmin) await db.updateTable("accounts").set({ login_time: now }).where("account_id", "=", accountId).execute();
  return { userId, accountId, isAdmin, token };
};

/** Ends a token at once, its sockets too. */
export const endSignIn = async ({ db, bus }: Pick<World, "db" | "bus">, { tokenHash }: Pick<Caller, "tokenHash">) => {
  await db.deleteFrom("sign_ins").where("token_hash", "=", Buffer.from(tokenHash, "hex")).execute();
  bus.emit("signOut", { tokenHash });
};

/** Goes on as another account of the same user with a new token; the old one ends. A support view stays one, and no longer. */
export const replaceSignIn = async (
  world: Pick<World, "db" | "bus" | "clock">,
  caller: Caller,
  accountId: number,
): Promise<SignedIn> => {
  const signedIn = await world.db.transaction().execute(async (db) => {
    const ended = await db
      .deleteFrom("sign_ins")
      .where("token_hash", "=", Buffer.from(caller.tokenHash, "hex"))
      .returning("ends_time")
      .executeTakeFirst();
    const { userId, isAdmin } = caller;
    return signIn(db, world.clock.date(), caller, { userId, accountId, isAdmin, ends: ended?.ends_time ?? null });
  });
  world.bus.emit("signOut", { tokenHash: caller.tokenHash });
  return signedIn;
};
