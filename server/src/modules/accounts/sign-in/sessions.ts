import { createHash, randomBytes } from "node:crypto";
import type { SignInRow } from "@telltale/contract/domains/people/sign-ins";
import { roleNames } from "@telltale/contract/permissions";
import { endPushes } from "../../../notify/index.ts";
import { when } from "../../../platform/database/paging.ts";
import type { Database } from "../../../platform/database/schema/schema.ts";
import type { FindCaller } from "../../../platform/http/gate.ts";
import type { World } from "../../../world.ts";
import { auditEnded } from "./support-view-queries.ts";

/** Creates a secret token: 32 random bytes as 43 URL-safe characters. */
export const newToken = (): string => randomBytes(32).toString("base64url");

/** The stored hash of a token. Plain SHA-256 is enough for a random secret. */
export const hashOf = (token: string): Buffer => createHash("sha256").update(token).digest();

/** Idle timeout of a session, milliseconds. (decisions §5) */
const idleLimit = 12 * 3_600_000;

/** Least time between two writes of a session's last use, milliseconds, so that reading calls rarely write. */
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

/** Creates the look-up of a token's session, which also updates its last use. */
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
      roleType: found.role_type,
      isAdmin: found.is_admin,
      dashboardId: found.dashboard_id,
      tokenHash: tokenHash.toString("hex"),
    };
  };

/** Most rows of the list of sessions. */
const most = 200;

interface SessionRequest {
  userId: number;
  /** Hash of the token of the requesting session. */
  tokenHash: string;
  now: Date;
}

/** The user's sessions, last used first, without support views. */
export const signInRows = async (db: Database, { userId, tokenHash, now }: SessionRequest): Promise<SignInRow[]> => {
  const rows = await db
    .selectFrom("sign_ins as s")
    .innerJoin("accounts as a", "a.account_id", "s.account_id")
    .select(["s.sign_in_id", "s.token_hash", "s.address", "s.user_agent", "s.created_time", "s.used_time"])
    .select(["s.by_sso", "a.role_type", "a.alias", "a.account_no"])
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
    roleName: roleNames[row.role_type],
    alias: row.alias || row.account_no,
    address: row.address,
    userAgent: row.user_agent,
    createdTime: row.created_time,
    usedTime: row.used_time,
    isBySso: row.by_sso,
    isCurrent: row.token_hash.toString("hex") === tokenHash,
  }));
};

/** Removes the user's sessions that have expired. */
export const forgetExpired = (db: Database, userId: number, now: Date) =>
  db
    .deleteFrom("sign_ins")
    .where("user_id", "=", userId)
    .where("used_time", "<", new Date(now.getTime() - idleLimit))
    .execute();

interface Which {
  userId: number;
  /** Only the sessions of this account. */
  accountId?: number;
  /** Only the session with this id; never a support view. */
  signInId?: number;
  /** All but the session with this token hash. */
  exceptTokenHash?: string;
  /** Only the session with this token hash. */
  tokenHash?: string;
}

/**
 * Ends sessions of a user, including support views, and the pushes to their browsers. Returns their token hashes: emit `signOut` for each after the commit, so that their sockets are
 * closed. Call in a transaction.
 */
export const endSignIns = async (db: Database, which: Which, now: Date): Promise<string[]> => {
  const { userId, accountId, signInId, exceptTokenHash, tokenHash } = which;
  const ended = await db
    .deleteFrom("sign_ins as s")
    .using("accounts as a")
    .whereRef("a.account_id", "=", "s.account_id")
    .where("s.user_id", "=", userId)
    .$call(when(accountId, (query, id) => query.where("s.account_id", "=", id)))
    .$call(when(signInId, (query, id) => query.where("s.sign_in_id", "=", id).where("s.is_admin", "=", false)))
    .$call(when(exceptTokenHash, (query, hash) => query.where("s.token_hash", "!=", Buffer.from(hash, "hex"))))
    .$call(when(tokenHash, (query, hash) => query.where("s.token_hash", "=", Buffer.from(hash, "hex"))))
    .returning(["s.sign_in_id", "s.token_hash", "s.is_admin", "s.ends_time", "a.plant_id"])
    .execute();
  const signInIds = ended.map(({ sign_in_id }) => sign_in_id);
  const isSome = [accountId, signInId, tokenHash].some((chosen) => chosen !== undefined);
  await endPushes(db, { userId, signInIds, isSome });
  for (const { is_admin, ends_time: endsTime, plant_id: plantId } of ended) {
    if (is_admin && endsTime) await auditEnded(db, { plantId, userId, endsTime }, now);
  }
  return ended.map(({ token_hash }) => token_hash.toString("hex"));
};
