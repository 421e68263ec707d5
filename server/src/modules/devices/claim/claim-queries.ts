import { AlertClass, AlertType } from "@telltale/contract/domains/alerts";
import { DeviceType, intervalLimit } from "@telltale/contract/domains/devices";
import { sql } from "kysely";
import { raise, ruleKey } from "../../../alarms/index.ts";
import { notify } from "../../../platform/bus/device-notices.ts";
import { audit } from "../../../platform/database/audit.ts";
import { runIn } from "../../../platform/database/runner.ts";
import type { Database } from "../../../platform/database/schema/schema.ts";
import { conflict, notFound } from "../../../platform/http/api-error.ts";
import type { World } from "../../../world.ts";
import { giveFirstSms } from "../../billing/index.ts";
import { addFirstTiles } from "../../dashboards/index.ts";
import { firstServiceEnd } from "../rules.ts";

/** A unit by its printed ID, in any plant or none. Lower case is accepted if the ID is not found otherwise. */
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
/** Error for a unit that has been claimed already. */
export const claimedId = "This device has been added already";

/** An unclaimed unit; throws 404 for an unknown ID and 409 for a claimed one. */
export const freeUnit = async ({ db, closed }: Pick<World, "db" | "closed">, deviceSnId: string) => {
  const unit = await unitById(db, deviceSnId);
  if (!unit || closed.deviceSnIds.has(unit.device_sn_id)) throw notFound(unknownId);
  if (unit.plant_id !== null) throw conflict(claimedId);
  return unit;
};

/** A device of the plant as a possible master. */
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

/** Data of a claim. */
export interface Claim {
  deviceId: number;
  deviceSnId: string;
  deviceName: string;
  plantId: number;
  parentDeviceId: number | null;
  userId: number;
  /** Name of the key with which the device has registered itself. */
  provisioningKey?: string;
  now: Date;
}

/** Fields that a sub-device shares with its master. */
interface Shared {
  expire_time: Date | null;
  report_interval_limit: number;
}

/** Service fields of a claim: a unit that was in a plant before keeps its service; a sub-device shares its master's. */
const serviceFrom = (claim: Claim, master: Shared | undefined) =>
  master
    ? {
        expire_time: master.expire_time,
        report_interval_limit: intervalLimit(DeviceType.sub, master.report_interval_limit),
      }
    : { expire_time: sql<Date | null>`case when is_used then expire_time else ${firstServiceEnd(claim.now)} end` };

/** Update that claims the unit; no row when a concurrent claim was faster. */
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

/** Locks the master until the transaction ends, so that it stays in the plant with its service; throws when it has been deleted. */
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

/** Marks the account that was opened for this unit as used: the next sign-in opens it. */
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

/** Claims a unit for the plant, with a notification and an audit entry. False when a concurrent claim was faster. Call in a transaction. */
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
  const { provisioningKey } = claim;
  const detail = { deviceId, deviceSnId, ...(provisioningKey === undefined ? {} : { provisioningKey }) };
  await audit(transaction, { plantId, userId, action: "device.add", detail, now });
  return true;
};

/** `writeClaim` in its own transaction. */
export const saveClaim = (db: Database, claim: Claim): Promise<boolean> =>
  db.transaction().execute((transaction) => writeClaim(transaction, claim));

interface OwnMain extends Pick<Claim, "plantId" | "userId" | "now"> {
  deviceSnId: string;
}

/** Claims the main device with which a plant was opened, named by its P/N. False when a concurrent claim was faster. */
export const claimMainDevice = async (transaction: Database, { deviceSnId, ...claim }: OwnMain): Promise<boolean> => {
  const unit = await unitById(transaction, deviceSnId);
  if (!unit) return false;
  const { device_id: deviceId, device_sn: deviceName } = unit;
  return writeClaim(transaction, { ...claim, deviceId, deviceSnId, deviceName, parentDeviceId: null });
};
