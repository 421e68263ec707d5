import { createHash, randomBytes } from "node:crypto";
import type { Input } from "@telltale/contract/call/call";
import type { Page } from "@telltale/contract/call/paging";
import { DeviceType, modelPrefixes } from "@telltale/contract/domains/devices";
import {
  KeyState,
  mostKeys,
  type ProvisioningKeyRow,
  type provisioning,
} from "@telltale/contract/domains/fleet/provisioning";
import type { Selectable } from "kysely";
import { userNameIn } from "../../access/index.ts";
import { audit } from "../../platform/database/audit.ts";
import { lockPlant } from "../../platform/database/lock-plant.ts";
import { offsetOf, type PageRequest, pageOf } from "../../platform/database/paging.ts";
import type { Database, Schema } from "../../platform/database/schema/schema.ts";
import { conflict, invalid, notFound } from "../../platform/http/api-error.ts";
import type { Caller } from "../../platform/http/caller.ts";
import type { World } from "../../world.ts";
import { partNumberOf } from "../devices/index.ts";
import { fullRefusal, type KeyLimits } from "./request.rules.ts";

export type ProvisioningKey = Selectable<Schema["provisioning_keys"]>;

type Needs = Pick<World, "db" | "clock">;

/** Letters and digits that people can type from a label: `length` of them, 5.9 bits each. */
const randomText = (length: number): string => {
  const text = randomBytes(length * 2)
    .toString("base64")
    .replace(/[^A-Za-z0-9]/g, "");
  return text.length < length ? randomText(length) : text.slice(0, length);
};

/** What is kept of a secret. It is random, so that a slow hash would protect nothing more. */
export const hashOfSecret = (secret: string): Buffer => createHash("sha256").update(secret).digest();

/** The limits of a stored key. */
export const limitsOf = (key: ProvisioningKey): KeyLimits => ({
  revokedTime: key.revoked_time,
  expireTime: key.expire_time,
  deviceCount: key.device_count,
  deviceLimit: key.device_limit,
});

const stateOf = (key: ProvisioningKey, now: Date): KeyState => {
  if (key.revoked_time !== null) return KeyState.revoked;
  if (key.expire_time <= now) return KeyState.expired;
  return fullRefusal(limitsOf(key)) === undefined ? KeyState.valid : KeyState.full;
};

const rowOf = (key: ProvisioningKey & { maker: string | null }, now: Date): ProvisioningKeyRow => ({
  provisioningKeyId: key.key_id,
  keyName: key.key_name,
  provisionKey: key.provision_key,
  model: key.type_id,
  deviceSn: partNumberOf(key.type_id, DeviceType.main),
  state: stateOf(key, now),
  deviceCount: key.device_count,
  deviceLimit: key.device_limit,
  refusedCount: key.refused_count,
  lastUsedTime: key.last_used_time,
  lastRefusedTime: key.last_refused_time,
  lastRefusal: key.last_refusal,
  createdTime: key.created_time,
  createdBy: key.maker ?? "",
  expireTime: key.expire_time,
  revokedTime: key.revoked_time,
});

/** A page of the plant's keys, newest first. */
export const keyPage = async (
  { db, clock }: Needs,
  { plantId }: Pick<Caller, "plantId">,
  page: PageRequest,
): Promise<Page<ProvisioningKeyRow>> => {
  const ofPlant = db.selectFrom("provisioning_keys").where("provisioning_keys.plant_id", "=", plantId);
  const { total } = await ofPlant.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const rows = await ofPlant
    .leftJoin("accounts", "accounts.account_id", "provisioning_keys.created_by")
    .leftJoin("users", "users.user_id", "accounts.user_id")
    .selectAll("provisioning_keys")
    .select(userNameIn("users").as("maker"))
    .orderBy("key_id", "desc")
    .offset(offsetOf(page))
    .limit(page.size)
    .execute();
  const now = clock.date();
  return pageOf(
    rows.map((row) => rowOf(row, now)),
    total,
    page,
  );
};

const checkRoom = async (db: Database, plantId: number, now: Date): Promise<void> => {
  const { count } = await db
    .selectFrom("provisioning_keys")
    .where("plant_id", "=", plantId)
    .where("revoked_time", "is", null)
    .where("expire_time", ">", now)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  if (count >= mostKeys) throw conflict(`A plant has at most ${mostKeys} provisioning keys. Revoke one first`);
};

/** Makes a key. Returns it with its secret, which is not readable afterwards. */
export const addKey = ({ db, clock }: Needs, input: Input<typeof provisioning.add>, caller: Caller) =>
  db.transaction().execute(async (trx) => {
    const now = clock.date();
    const { plantId, userId, accountId } = caller;
    const { keyName, model, deviceLimit, expireTime } = input;
    if (expireTime <= now) throw invalid("Valid until is a time to come");
    await lockPlant(trx, plantId);
    await checkRoom(trx, plantId, now);
    const [provisionKey, secret] = [randomText(20), randomText(36)];
    const { key_id: provisioningKeyId } = await trx
      .insertInto("provisioning_keys")
      .values({
        ...{ plant_id: plantId, key_name: keyName, provision_key: provisionKey, secret_hash: hashOfSecret(secret) },
        ...{ type_id: model, device_limit: deviceLimit, expire_time: expireTime },
        ...{ created_by: accountId, created_time: now },
      })
      .returning("key_id")
      .executeTakeFirstOrThrow();
    const after = { model: modelPrefixes[model], deviceLimit, expireTime: expireTime.toISOString() };
    const detail = { target: keyName, after };
    await audit(trx, { plantId, userId, action: "provisioningKey.add", detail, now });
    return { provisioningKeyId, provisionKey, secret };
  });

/** Revokes a key; nothing happens to one that is revoked already. A registration that holds it is finished first. */
export const revokeKey = ({ db, clock }: Needs, keyId: number, caller: Caller): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const now = clock.date();
    const { plantId, userId } = caller;
    const key = await trx
      .selectFrom("provisioning_keys")
      .selectAll()
      .where("plant_id", "=", plantId)
      .where("key_id", "=", keyId)
      .forUpdate()
      .executeTakeFirst();
    if (!key) throw notFound();
    if (key.revoked_time !== null) return;
    await trx.updateTable("provisioning_keys").set({ revoked_time: now }).where("key_id", "=", keyId).execute();
    const detail = { target: key.key_name };
    await audit(trx, { plantId, userId, action: "provisioningKey.revoke", detail, now });
  });
