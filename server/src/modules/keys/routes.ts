import type { Input } from "@telltale/contract/call/call";
import { apiKeyPrefix, type apiKeys, maxApiKeys, rolesWithin } from "@telltale/contract/domains/people/api-keys";
import { roleNames } from "@telltale/contract/permissions";
import { audit } from "../../platform/database/audit.ts";
import { conflict, notAllowed, notFound } from "../../platform/http/api-error.ts";
import type { Caller } from "../../platform/http/caller.ts";
import type { Handlers } from "../../platform/http/mount.ts";
import type { World } from "../../world.ts";
import { keyHashOf, newApiKey } from "./key-finder.ts";
import { deleteKey, keyRows } from "./queries.ts";

type Needs = Pick<World, "db" | "clock" | "bus">;

const dayLength = 86_400_000;

/** Length of the beginning of a key that is kept readable: far too short to guess the rest. */
const shownLength = apiKeyPrefix.length + 6;

/** Makes a key to the caller's account. Returns its id and the key, which is not readable afterwards. */
const addKey = ({ db, clock }: Needs, input: Input<typeof apiKeys.add>, caller: Caller) => {
  const { keyName, roleType, readOnly, days } = input;
  if (!rolesWithin(caller.roleType).includes(roleType))
    throw notAllowed(`Your role cannot make a key with the role ${roleNames[roleType]}: it may more than you`);
  const apiKey = newApiKey();
  const now = clock.date();
  const expires = days === 0 ? null : new Date(now.getTime() + days * dayLength);
  return db.transaction().execute(async (trx) => {
    const { accountId, plantId, userId } = caller;
    await trx
      .selectFrom("accounts")
      .select("account_id")
      .where("account_id", "=", accountId)
      .forNoKeyUpdate()
      .execute();
    const { count } = await trx
      .selectFrom("api_keys")
      .where("account_id", "=", accountId)
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    if (count >= maxApiKeys) throw conflict(`You have ${maxApiKeys} API keys, the most possible. Revoke one first`);
    const { api_key_id: apiKeyId } = await trx
      .insertInto("api_keys")
      .values({
        account_id: accountId,
        key_name: keyName,
        key_hash: keyHashOf(apiKey),
        beginning: apiKey.slice(0, shownLength),
        role_type: roleType,
        is_read_only: readOnly === 1,
        created_time: now,
        expires_time: expires,
      })
      .returning("api_key_id")
      .executeTakeFirstOrThrow();
    const after = { role: roleNames[roleType], readOnly: readOnly === 1, expires };
    await audit(trx, { plantId, userId, action: "apiKey.add", detail: { target: keyName, after }, now });
    return { apiKeyId, apiKey };
  });
};

/** Ends a key at once, with the sockets that it has opened. */
const revokeKey = async ({ db, clock, bus }: Needs, apiKeyId: number, caller: Caller): Promise<void> => {
  const { plantId, userId } = caller;
  const tokenHash = await db.transaction().execute(async (trx) => {
    const key = await deleteKey(trx, apiKeyId, caller);
    if (!key) throw notFound();
    const detail = { target: key.key_name };
    await audit(trx, { plantId, userId, action: "apiKey.revoke", detail, now: clock.date() });
    return key.key_hash.toString("hex");
  });
  bus.emit("signOut", { tokenHash });
};

/** Who calls; the key's end is that of the key in use. */
const holderOf = async (db: World["db"], { userId, accountId, plantId, roleType, isAdmin, key }: Caller) => {
  const { name: plantName } = await db
    .selectFrom("plants")
    .where("plant_id", "=", plantId)
    .select("name")
    .executeTakeFirstOrThrow();
  const used =
    key &&
    (await db.selectFrom("api_keys").where("api_key_id", "=", key.apiKeyId).select("expires_time").executeTakeFirst());
  return {
    keyName: key?.name ?? null,
    ...{ userId, accountId, plantId, plantName, roleType },
    readOnly: isAdmin || (key?.isReadOnly ?? false),
    expiresTime: used?.expires_time ?? null,
  };
};

export const apiKeyRoutes = (world: Needs): Handlers<typeof apiKeys> => ({
  list: (_input, caller) => keyRows(world.db, caller),
  add: (input, caller) => addKey(world, input, caller),
  revoke: async ({ apiKeyId }, caller) => {
    await revokeKey(world, apiKeyId, caller);
    return null;
  },
  holder: (_input, caller) => holderOf(world.db, caller),
});
