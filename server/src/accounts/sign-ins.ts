import type { Role } from "@telltale/contract/permissions";
import type { FindCaller } from "../http/gate.ts";
import type { World } from "../world.ts";
import { hashOf } from "./token.ts";

/** A sign-in ends when it was not used for this long, in milliseconds. (decisions §5) */
export const idleLimit = 12 * 3_600_000;

/** The time of use is written at most this often, in milliseconds, so that reading does not become writing. */
const touchInterval = 60_000;

const signInOf = ({ db }: Pick<World, "db">, tokenHash: Buffer) =>
  db
    .selectFrom("sign_ins as s")
    .innerJoin("accounts as a", "a.account_id", "s.account_id")
    .select(["s.user_id", "s.account_id", "s.is_admin", "s.used_time", "s.ends_time"])
    .select(["a.plant_id", "a.role_type", "a.dashboard_id"])
    .where("s.token_hash", "=", tokenHash)
    .where("a.activate", "=", true)
    .executeTakeFirst();

/** Finds the account a token is signed in as, and keeps the sign-in alive. */
export const callerFinder =
  ({ db, clock, closed }: Pick<World, "db" | "clock" | "closed">): FindCaller =>
  async (token) => {
    const tokenHash = hashOf(token);
    const found = await signInOf({ db }, tokenHash);
    const now = clock.now();
    if (!found || closed.userIds.has(found.user_id)) return undefined;
    if (found.used_time.getTime() + idleLimit <= now) return undefined;
    if (found.ends_time && found.ends_time.getTime() <= now) return undefined;
    if (found.used_time.getTime() + touchInterval <= now) {
      await db.updateTable("sign_ins").set({ used_time: clock.date() }).where("token_hash", "=", tokenHash).execute();
    }
    return {
      userId: found.user_id,
      accountId: found.account_id,
      plantId: found.plant_id,
      roleType: found.role_type as Role,
      isAdmin: found.is_admin,
      dashboardId: found.dashboard_id,
      tokenHash: tokenHash.toString("hex"),
    };
  };
