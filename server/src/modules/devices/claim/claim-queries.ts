import { AlertClass, AlertType } from "@telltale/contract/domains/alerts";
import { DeviceType, intervalLimit } from "@telltale/contract/domains/devices";
import { sql } from "kysely";
import { raise, ruleKey, runIn } from "../../../alarms/index.ts";
import { notify } from "../../../platform/bus/device-notices.ts";
import { audit } from "../../../platform/database/audit.ts";
import type { Database } from "../../../platform/database/schema/schema.ts";
import { conflict, notFound } from "../../../platform/http/api-error.ts";
import type { World } from "../../../world.ts";
import { giveFirstSms } from "../../billing/index.ts";
import { addFirstTiles } from "../../dashboards/index.ts";
import { firstServiceEnd } from "../rules.ts";

/** A unit by the ID printed on it, whoever's it is. Small letters are taken for capitals where that finds it. */
const unitById = (db: Database, deviceSnId: string) =>
  db
    .selectFrom("devices")
    .select(["device_id", "device_sn", "device_sn_id", "device_type", "type_id", "plant_id"])
    .where("device_sn_id", "in", [deviceSnId, deviceSnId.toUpperCase()])
    .where("device_id", "not in", db.selectFrom("deleted_devices").select("device_id"))
    .orderBy(({ eb }) => eb("device_sn_id", "=", deviceSnId), "desc")
    .limit(1)
    .executeTakeFirst();

const unknownId = "There is no device with this ID. Please compare it with the label on the unit";
/** What is said to whoever comes second. */
export const claimedId = "This device has been added already";

/** A unit that is free to be added; refuses an unknown ID with 404 and a claimed one with 409. */
export const freeUnit = async ({ db, closed }: Pick<World, "db" | "closed">, deviceSnId: string) => {
  const unit = await unitById(db, deviceSnId);
  if (!unit || closed.deviceSnIds.has(unit.device_sn_id)) throw notFound(unknownId);
  if (unit.plant_id !== null) throw conflict(claimedId);
  return unit;
};

/** A device of the plant as the master of another. */
export const masterById = async (db: Database, plantId: number, deviceId: number) => {
  const master = await db
    .selectFrom("devices")
    .select("device_type")
    .where("plant_id", "=", plantId)
    .where("device_id", "=", deviceId)
    .executeTakeFirst();
  return master && { deviceType: master.device_type };
};

/** One of the user's own accounts. */
export const ownAccount = (db: Database, userId: number, accountId: number) =>
  db
    .selectFrom("accounts")
    .select(["plant_id", "role_type"])
    .where("account_id", "=", accountId)
    .where("user_id", "=", userId)
    .where("activate", "=", true)
    .executeTakeFirst();

/** A claim as it is written. */
export interface Claim {
  deviceId: number;
  deviceSnId: string;
  deviceName: string;
  plantId: number;
  parentDeviceId: number | null;
  userId: number;
  now: Date;
}

/** What a sub-device has of its master. */
interface Shared {
  expire_time: Date | null;
  report_interval_limit: number;
}

/** A unit that was in a plant before goes on with the service it has; a sub-device shares its master's. */
const serviceFrom = (claim: Claim, master: Shared | undefined) =>
  master
    ? {
        expire_time: master.expire_time,
        report_interval_limit: intervalLimit(DeviceType.sub, master.report_interval_limit),
      }
    : { expire_time: sql<Date | null>`case when is_used then expire_time else ${firstServiceEnd(claim.now)} end` };

/** Undefined when somebody was faster. */
const takeUnit = (db: Database, claim: Claim, master: Shared | undefined) =>
  db
    .updateTable("devices")
    .set({
      plant_id: claim.plantId,
      device_name: claim.deviceName,
      parent_device_id: claim.parentDeviceId,
      claimed_time: claim.now,
      ...serviceFrom(claim, master),
      time_zone_id: sql<string>`(select plants.time_zone_id from plants where plants.plant_id = ${claim.plantId})`,
    })
    .where("device_id", "=", claim.deviceId)
    .where("plant_id", "is", null)
    .returning("is_used")
    .executeTakeFirst();

/** Keeps the master in the plant, and its service as it is, until the transaction ends: one that is being deleted is waited for, and then gone. */
const holdMaster = async (db: Database, { plantId, parentDeviceId }: Claim): Promise<Shared | undefined> => {
  if (parentDeviceId === null) return undefined;
  const master = await db
    .selectFrom("devices")
    .select(["expire_time", "report_interval_limit"])
    .where("plant_id", "=", plantId)
    .where("device_id", "=", parentDeviceId)
    .forShare()
    .executeTakeFirst();
  if (!master) throw notFound();
  return master;
};

/** The account that was opened for this unit is in use from now on: the next sign-in opens it. */
const useReservedAccount = async (db: Database, { plantId, deviceId, userId, now }: Claim): Promise<void> => {
  await db
    .updateTable("accounts")
    .from("plants")
    .set({ login_time: now })
    .whereRef("plants.plant_id", "=", "accounts.account_id")
    .where("plants.plant_id", "=", plantId)
    .where("plants.reserved_device_id", "=", deviceId)
    .where("accounts.user_id", "=", userId)
    .execute();
};

/** Gives an unclaimed unit to the plant, with a notification and a line in the audit log. False when somebody was faster. Call it in a transaction. */
export const writeClaim = async (transaction: Database, claim: Claim): Promise<boolean> => {
  const master = await holdMaster(transaction, claim);
  const taken = await takeUnit(transaction, claim, master);
  if (!taken) return false;
  const { plantId, deviceId, deviceSnId, userId, now } = claim;
  if (!master && !taken.is_used) await giveFirstSms(transaction, { plantId, now });
  const at = now.getTime();
  const event = {
    plantId,
    deviceId,
    alarmClass: AlertClass.notification,
    alarmType: AlertType.system,
    msg: "Added to this plant",
    at,
    clearedAt: at,
    key: ruleKey.notification(deviceId, "claimed"),
  };
  await raise(runIn(transaction), [event], at);
  await addFirstTiles(transaction, { plantId, deviceId, now });
  await useReservedAccount(transaction, claim);
  await notify(transaction, { plantId, deviceId });
  await audit(transaction, { plantId, userId, action: "device.add", detail: { deviceId, deviceSnId }, now });
  return true;
};

/** `writeClaim` in a transaction of its own. */
export const saveClaim = (db: Database, claim: Claim): Promise<boolean> =>
  db.transaction().execute((transaction) => writeClaim(transaction, claim));

interface OwnMain extends Pick<Claim, "plantId" | "userId" | "now"> {
  deviceSnId: string;
}

/** Adds a main device to a plant that was opened with it, under its P/N as name. False when somebody was faster. */
export const claimMainDevice = async (transaction: Database, { deviceSnId, ...claim }: OwnMain): Promise<boolean> => {
  const unit = await unitById(transaction, deviceSnId);
  if (!unit) return false;
  const { device_id: deviceId, device_sn: deviceName } = unit;
  return writeClaim(transaction, { ...claim, deviceId, deviceSnId, deviceName, parentDeviceId: null });
};
