import { type Role, roleNames } from "@telltale/contract/permissions";
import type { SignInRow } from "@telltale/contract/sign-ins";
import type { Database } from "../world.ts";
import { idleLimit } from "./sign-ins.ts";

/** Most rows; nobody has so many browsers. */
const most = 200;

interface Asked {
  userId: number;
  /** Of the one that asks. */
  tokenHash: string;
  now: Date;
}

/** Where the user is signed in, the latest used first; support views are none of the user's. */
export const signInRows = async (db: Database, { userId, tokenHash, now }: Asked): Promise<SignInRow[]> => {
  const rows = await db
    .selectFrom("sign_ins as s")
    .innerJoin("accounts as a", "a.account_id", "s.account_id")
    .select(["s.sign_in_id", "s.token_hash", "s.address", "s.user_agent", "s.created_time", "s.used_time"])
    .select(["a.role_type", "a.alias", "a.account_no"])
    .where("s.user_id", "=", userId)
    .where("s.is_admin", "=", false)
    .where("s.used_time", ">", new Date(now.getTime() - idleLimit))
    .where("a.activate", "=", true)
    .orderBy("s.used_time", "desc")
    .orderBy("s.sign_in_id", "desc")
    .limit(most)
    .execute();
  return rows.map((row) => ({
    signInId: row.sign_in_id,
    roleName: roleNames[row.role_type as Role],
    alias: row.alias || row.account_no,
    address: row.address,
    userAgent: row.user_agent,
    createdTime: row.created_time,
    usedTime: row.used_time,
    isCurrent: row.token_hash.toString("hex") === tokenHash,
  }));
};
