import type { Database } from "../../../platform/database/schema/schema.ts";
import { notSignedIn } from "../../../platform/http/api-error.ts";
import type { Caller, Visitor } from "../../../platform/http/caller.ts";
import type { World } from "../../../world.ts";
import type { SignedIn } from "../records/queries.ts";
import { endSignIns, hashOf, newToken } from "./sessions.ts";
import { auditOpened, openedBy } from "./support-view-queries.ts";

/** Length of a support view, milliseconds. (decisions §5) */
export const supportViewLength = 3_600_000;

interface NewSignIn {
  userId: number;
  accountId: number;
  /** A read-only support view, which ends at `ends`. */
  isAdmin?: boolean;
  ends?: Date | null;
  /** Signed in by the provider of single sign-on. */
  isBySso?: boolean;
  /** Does not change the account that the next sign-in opens: the user did not choose this one. */
  keepsCurrent?: boolean;
}

/** Creates a session for an account: the token is returned once and only its hash stored. */
export const signIn = async (db: Database, now: Date, visitor: Visitor, wanted: NewSignIn): Promise<SignedIn> => {
  const { userId, accountId, isAdmin = false, ends = null, isBySso = false, keepsCurrent = isAdmin } = wanted;
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
      by_sso: isBySso,
    })
    .execute();
  // A support view leaves no trace in the users' last sign-in; it is in the audit log.
  if (!keepsCurrent)
    await db.updateTable("accounts").set({ login_time: now }).where("account_id", "=", accountId).execute();
  return { userId, accountId, isAdmin, token };
};

/** Ends a session at once, with its sockets. */
export const endSignIn = async (
  { db, bus, clock }: Pick<World, "db" | "bus" | "clock">,
  { userId, tokenHash }: Pick<Caller, "userId" | "tokenHash">,
): Promise<void> => {
  await db.transaction().execute((trx) => endSignIns(trx, { userId, tokenHash }, clock.date()));
  bus.emit("signOut", { tokenHash });
};

/** Continues a support view in another plant of the user, and records it there. */
const carrySupportView = async (
  db: Database,
  caller: Caller,
  { accountId, endsTime }: { accountId: number; endsTime: Date },
  now: Date,
): Promise<void> => {
  const { userId, plantId, address } = caller;
  const account = await db
    .selectFrom("accounts")
    .select("plant_id")
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  const madeBy = await openedBy(db, { plantId, userId, endsTime });
  await auditOpened(db, { plantId: account.plant_id, userId, accountId, endsTime, address, madeBy }, now);
};

/** When a session ends at the latest, and how it began; a session that continues it keeps both. */
export const keptOf = async (
  db: Database,
  tokenHash: string,
): Promise<Required<Pick<NewSignIn, "ends" | "isBySso">>> => {
  const found = await db
    .selectFrom("sign_ins")
    .select(["ends_time", "by_sso"])
    .where("token_hash", "=", Buffer.from(tokenHash, "hex"))
    .forUpdate()
    .executeTakeFirst();
  if (!found) throw notSignedIn();
  return { ends: found.ends_time, isBySso: found.by_sso };
};

/** The browser stays signed in by another token: its pushes go on. */
const carryPushes = async (db: Database, fromHash: string, toToken: string): Promise<void> => {
  const idOf = (hash: Buffer) => db.selectFrom("sign_ins").select("sign_in_id").where("token_hash", "=", hash);
  await db
    .updateTable("push_subscriptions")
    .set({ sign_in_id: idOf(hashOf(toToken)) })
    .where("sign_in_id", "=", idOf(Buffer.from(fromHash, "hex")))
    .execute();
};

/** Switches to another account of the same user with a new token and ends the old session. A support view stays one, with the same end. */
export const replaceSignIn = async (
  world: Pick<World, "db" | "bus" | "clock">,
  caller: Caller,
  accountId: number,
): Promise<SignedIn> => {
  const { userId, isAdmin, tokenHash } = caller;
  const now = world.clock.date();
  const signedIn = await world.db.transaction().execute(async (db) => {
    const kept = await keptOf(db, tokenHash);
    const { ends } = kept;
    if (isAdmin && ends) await carrySupportView(db, caller, { accountId, endsTime: ends }, now);
    const next = await signIn(db, now, caller, { userId, accountId, isAdmin, ...kept });
    await carryPushes(db, tokenHash, next.token);
    await endSignIns(db, { userId, tokenHash }, now);
    return next;
  });
  world.bus.emit("signOut", { tokenHash });
  return signedIn;
};
