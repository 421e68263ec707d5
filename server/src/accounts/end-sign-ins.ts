import type { Database } from "../world.ts";
import { auditEnded } from "./support-view-queries.ts";

interface Which {
  userId: number;
  /** That one only; not a support view, which is no sign-in of the user's. */
  signInId?: number;
  /** All but the one with this token's hash. */
  exceptTokenHash?: string;
  /** The one with this token's hash. */
  tokenHash?: string;
}

/**
 * Ends sign-ins of a user, support views included, and gives the hashes of their tokens: emit `signOut` for each after the commit, so that
 * their sockets end too. Call it in a transaction.
 */
export const endSignIns = async (db: Database, which: Which, now: Date): Promise<string[]> => {
  const { userId, signInId, exceptTokenHash, tokenHash } = which;
  const ended = await db
    .deleteFrom("sign_ins as s")
    .using("accounts as a")
    .whereRef("a.account_id", "=", "s.account_id")
    .where("s.user_id", "=", userId)
    .$if(signInId !== undefined, (query) =>
      query.where("s.sign_in_id", "=", signInId as number).where("s.is_admin", "=", false),
    )
    .$if(exceptTokenHash !== undefined, (query) =>
      query.where("s.token_hash", "!=", Buffer.from(exceptTokenHash as string, "hex")),
    )
    .$if(tokenHash !== undefined, (query) => query.where("s.token_hash", "=", Buffer.from(tokenHash as string, "hex")))
    .returning(["s.token_hash", "s.is_admin", "s.ends_time", "a.plant_id"])
    .execute();
  for (const { is_admin, ends_time: endsTime, plant_id: plantId } of ended) {
    if (is_admin && endsTime) await auditEnded(db, { plantId, userId, endsTime }, now);
  }
  return ended.map(({ token_hash }) => token_hash.toString("hex"));
};
