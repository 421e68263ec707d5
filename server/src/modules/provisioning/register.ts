import { DeviceType, modelPrefixes } from "@telltale/contract/domains/devices";
import { sql } from "kysely";
import { notify } from "../../platform/bus/device-notices.ts";
import { lockPlant } from "../../platform/database/lock-plant.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import type { World } from "../../world.ts";
import { newAccessToken, provisionDevice, writeClaim } from "../devices/index.ts";
import { limitsOf, type ProvisioningKey } from "./keys.ts";
import { type DeviceRequest, fullRefusal, keyRefusal } from "./request.rules.ts";

type Needs = Pick<World, "db" | "clock">;

/** The outcome of a registration. `deviceId`: of the device that has the name already. */
export type Registered = { token: string; isNew: boolean } | { refusal: string; deviceId?: number };

/** The key, locked until the transaction ends: it is revoked, counted and found full by one registration at a time. */
const lockedKey = (db: Database, keyId: number): Promise<ProvisioningKey> =>
  db.selectFrom("provisioning_keys").selectAll().where("key_id", "=", keyId).forUpdate().executeTakeFirstOrThrow();

/** The device of the plant with this serial number: one that has registered itself as it, or whose device ID it is. */
export const deviceOf = (db: Database, plantId: number, serial: string) =>
  db
    .selectFrom("devices")
    .leftJoin("provisioned_devices as own", (join) =>
      join.onRef("own.device_id", "=", "devices.device_id").onRef("own.plant_id", "=", "devices.plant_id"),
    )
    .select(["devices.device_id", "devices.type_id", "devices.last_seen_time", "own.key_id", "own.serial"])
    .where("devices.plant_id", "=", plantId)
    .where((eb) => eb.or([eb("own.serial", "=", serial), eb("devices.device_sn_id", "=", serial)]))
    .forUpdate("devices")
    .executeTakeFirst();

/** The user in whose name the key's devices are added. */
const makerOf = async (db: Database, { created_by }: ProvisioningKey): Promise<number> => {
  const maker = db.selectFrom("accounts").select("user_id").where("account_id", "=", created_by);
  return (await maker.executeTakeFirstOrThrow()).user_id;
};

/** Forgets a device of this serial number that is no longer in the plant. */
export const freeSerial = (db: Database, plantId: number, serial: string) =>
  db.deleteFrom("provisioned_devices").where("plant_id", "=", plantId).where("serial", "=", serial).execute();

const addDevice = async (db: Database, key: ProvisioningKey, request: DeviceRequest, now: Date): Promise<string> => {
  const { plant_id: plantId, key_id, key_name: provisioningKey } = key;
  const { serial, token } = request;
  const unit = {
    model: key.type_id,
    deviceType: DeviceType.main,
    ...(token === undefined ? {} : { accessToken: token }),
  };
  const { deviceId, deviceSnId, accessToken } = await provisionDevice(db, unit, now);
  const claim = { deviceId, deviceSnId, deviceName: serial, plantId, parentDeviceId: null, now };
  await writeClaim(db, { ...claim, userId: await makerOf(db, key), provisioningKey });
  await freeSerial(db, plantId, serial);
  await db
    .insertInto("provisioned_devices")
    .values({ device_id: deviceId, key_id, plant_id: plantId, serial })
    .execute();
  return accessToken;
};

/**
 * Gives a device that has never been heard another token: its answer may have been lost, and whoever got the first token, with a stolen key for instance,
 * must not share the device.
 */
const replaceToken = async (db: Database, key: ProvisioningKey, deviceId: number, token: string): Promise<string> => {
  await db.updateTable("devices").set({ access_token: token }).where("device_id", "=", deviceId).execute();
  await notify(db, { plantId: key.plant_id, deviceId, ended: "newToken" });
  return token;
};

const isTaken = async (db: Database, token: string): Promise<boolean> =>
  (await db.selectFrom("devices").select("device_id").where("access_token", "=", token).executeTakeFirst()) !==
  undefined;

/** Whether a device of the plant may get its token by this key: it has this serial number, was never heard, and no other key has added it. */
const isOfKey = (
  known: NonNullable<Awaited<ReturnType<typeof deviceOf>>>,
  { key_id }: ProvisioningKey,
  serial: string,
): boolean =>
  known.serial === serial && known.last_seen_time === null && (known.key_id === null || known.key_id === key_id);

/** An expected device is one of the key's from now on. */
const takeUp = (db: Database, { key_id }: ProvisioningKey, deviceId: number) =>
  db.updateTable("provisioned_devices").set({ key_id }).where("device_id", "=", deviceId).execute();

const decide = async (db: Database, key: ProvisioningKey, request: DeviceRequest, now: Date): Promise<Registered> => {
  const { serial, token } = request;
  const refusal = keyRefusal(limitsOf(key), now);
  if (refusal !== undefined) return { refusal };
  const known = await deviceOf(db, key.plant_id, serial);
  if (known && !isOfKey(known, key, serial))
    return {
      refusal: "A device of this name is in the plant already. Delete it there before it registers again",
      deviceId: known.device_id,
    };
  if (known && known.type_id !== key.type_id)
    return {
      refusal: `The plant expects a ${modelPrefixes[known.type_id]} of this name. Use a key of that model`,
      deviceId: known.device_id,
    };
  const isNew = known === undefined || known.key_id === null;
  const full = isNew ? fullRefusal(limitsOf(key)) : undefined;
  if (full !== undefined) return { refusal: full };
  if (token !== undefined && (await isTaken(db, token))) return { refusal: "This token can't be used. Send another" };
  if (!known) return { token: await addDevice(db, key, request, now), isNew };
  if (isNew) await takeUp(db, key, known.device_id);
  return { token: await replaceToken(db, key, known.device_id, token ?? newAccessToken()), isNew };
};

/** Counts a request that was refused although its key exists. */
export const countRefusal = (db: Database, keyId: number, refusal: string, now: Date) =>
  db
    .updateTable("provisioning_keys")
    .set({ refused_count: sql`refused_count + 1`, last_refused_time: now, last_refusal: refusal })
    .where("key_id", "=", keyId)
    .execute();

const countUse = (db: Database, key: ProvisioningKey, isNew: boolean, now: Date) =>
  db
    .updateTable("provisioning_keys")
    .set({ last_used_time: now, device_count: key.device_count + (isNew ? 1 : 0) })
    .where("key_id", "=", key.key_id)
    .execute();

/**
 * Adds a device to the plant of a key as if its maker had, named by its serial number; or gives one that the key has added, and that was never heard, a
 * new token. The token of a device that works is not given to anybody.
 */
export const registerDevice = ({ db, clock }: Needs, keyId: number, request: DeviceRequest): Promise<Registered> =>
  db.transaction().execute(async (trx) => {
    const now = clock.date();
    const key = await lockedKey(trx, keyId);
    await lockPlant(trx, key.plant_id);
    const registered = await decide(trx, key, request, now);
    if ("refusal" in registered) await countRefusal(trx, keyId, registered.refusal, now);
    else await countUse(trx, key, registered.isNew, now);
    return registered;
  });
