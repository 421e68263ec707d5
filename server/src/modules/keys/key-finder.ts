import { createHash, randomBytes } from "node:crypto";
import { Code } from "@telltale/contract/call/codes";
import { apiKeyPrefix, maxKeyCalls, rolesWithin } from "@telltale/contract/domains/people/api-keys";
import type { Role } from "@telltale/contract/permissions";
import { ApiError } from "../../platform/http/api-error.ts";
import type { FindCaller } from "../../platform/http/gate.ts";
import type { AttemptNeeds } from "../../platform/limits/attempts.ts";
import { createAttempts } from "../../platform/limits/create-attempts.ts";
import type { World } from "../../world.ts";

/** Creates an API key: 32 random bytes as 43 URL-safe characters behind the prefix. */
export const newApiKey = (): string => `${apiKeyPrefix}${randomBytes(32).toString("base64url")}`;

/** The stored hash of a key. Plain SHA-256 is enough for a random secret. */
export const keyHashOf = (key: string): Buffer => createHash("sha256").update(key).digest();

/** Least time between two writes of a key's last use, milliseconds, so that reading calls rarely write. */
const touchInterval = 60_000;

/** Length of the time in which a key's calls are counted, milliseconds. */
const window = 60_000;

/** A member's role may have become lower since the key was made; the key never holds what they do not. */
const roleOf = (made: Role, member: Role): Role => (rolesWithin(member).includes(made) ? made : member);

/** Calls that a node of a cluster takes of a key's at once: each by itself would be a write to the database. */
const portion = 100;

/** Takes a portion of a key's calls from those of all nodes. False: there is none left. */
const createPortions = (world: AttemptNeeds, most: number) => {
  if (!world.node.isOfCluster) return async () => true;
  const ofAll = createAttempts(world, "calls by API key", { most: Math.ceil(most / portion), window });
  return async (apiKeyId: number): Promise<boolean> => {
    try {
      await ofAll.count(String(apiKeyId));
      return true;
    } catch (fault) {
      // A fault of the database is told by the call itself, and must not be kept for the others of the portion.
      return !(fault instanceof ApiError);
    }
  };
};

/** A key's calls on this server within the present minute, and whether the portion of the last one could be taken. */
interface Counted {
  calls: number;
  isTaken: Promise<boolean>;
}

/** Counts a key's calls, on all servers, and throws when it makes more than it may: a program in a loop leaves the servers to the others. */
const createCallLimit = (world: AttemptNeeds, most: number) => {
  const { clock } = world;
  const take = createPortions(world, most);
  let counts = new Map<number, Counted>();
  let until = 0;
  return async (apiKeyId: number): Promise<void> => {
    if (clock.now() >= until) {
      counts = new Map();
      until = clock.now() + window;
    }
    const before = counts.get(apiKeyId);
    const calls = (before?.calls ?? 0) + 1;
    if (calls <= most) {
      const counted = { calls, isTaken: before && calls % portion !== 1 ? before.isTaken : take(apiKeyId) };
      counts.set(apiKeyId, counted);
      if (await counted.isTaken) return;
    }
    const seconds = Math.ceil((until - clock.now()) / 1000);
    throw new ApiError(
      Code.tooManyTries,
      `This API key has made more than ${most} calls within a minute. Please try again in ${seconds} s`,
    );
  };
};

/**
 * Creates the look-up of the caller behind an API key, which also updates its last use. Undefined for a key that is not valid (any more). `mostCalls`: of one
 * key within a minute.
 */
export const keyFinder = (world: Pick<World, "db" | "closed"> & AttemptNeeds, mostCalls = maxKeyCalls): FindCaller => {
  const { db, clock, closed } = world;
  const countCall = createCallLimit(world, mostCalls);
  return async (apiKey, address) => {
    const keyHash = keyHashOf(apiKey);
    const found = await db
      .selectFrom("api_keys as k")
      .innerJoin("accounts as a", "a.account_id", "k.account_id")
      .select(["k.api_key_id", "k.key_name", "k.role_type", "k.is_read_only", "k.expires_time", "k.used_time"])
      .select(["k.used_address", "a.user_id", "a.account_id", "a.plant_id", "a.dashboard_id"])
      .select("a.role_type as member_role")
      .where("k.key_hash", "=", keyHash)
      .where("a.activate", "=", true)
      .executeTakeFirst();
    const now = clock.now();
    if (!found || closed.userIds.has(found.user_id)) return undefined;
    if (found.expires_time && found.expires_time.getTime() <= now) return undefined;
    // Without an address it is no call: an open socket is looked after, whatever else its key does.
    if (address !== undefined) await countCall(found.api_key_id);
    const isTouched = (found.used_time?.getTime() ?? 0) + touchInterval <= now;
    if (address !== undefined && (isTouched || address !== found.used_address))
      await db
        .updateTable("api_keys")
        .set({ used_time: clock.date(), used_address: address })
        .where("key_hash", "=", keyHash)
        .execute();
    return {
      userId: found.user_id,
      accountId: found.account_id,
      plantId: found.plant_id,
      roleType: roleOf(found.role_type, found.member_role),
      isAdmin: false,
      dashboardId: found.dashboard_id,
      tokenHash: keyHash.toString("hex"),
      key: { apiKeyId: found.api_key_id, name: found.key_name, isReadOnly: found.is_read_only },
    };
  };
};
