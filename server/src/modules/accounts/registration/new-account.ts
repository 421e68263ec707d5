import { DeviceType } from "@telltale/contract/domains/devices";
import { audit } from "../../../platform/database/audit.ts";
import type { Database } from "../../../platform/database/schema/schema.ts";
import { invalid } from "../../../platform/http/api-error.ts";
import type { Caller } from "../../../platform/http/caller.ts";
import type { World } from "../../../world.ts";
import { freeUnit } from "../../devices/index.ts";
import { createPlant } from "../records/create.ts";
import type { SignedIn } from "../records/queries.ts";
import { keptOf, signIn } from "../sign-in/sign-in.ts";

/** The user's account that was opened for this unit before. Locks the user's row, so that two clicks open one account. */
const openedBefore = async (db: Database, userId: number, deviceId: number): Promise<number | undefined> => {
  await db.selectFrom("users").select("user_id").where("user_id", "=", userId).forUpdate().executeTakeFirst();
  const account = await db
    .selectFrom("plants")
    .innerJoin("accounts", "accounts.account_id", "plants.plant_id")
    .where("plants.reserved_device_id", "=", deviceId)
    .where("accounts.user_id", "=", userId)
    .select("accounts.account_id")
    .executeTakeFirst();
  return account?.account_id;
};

const open = async (db: Database, caller: Caller, unit: { device_id: number; device_sn: string }, now: Date) => {
  const { userId } = caller;
  const { time_zone_id: timeZoneId } = await db
    .selectFrom("plants")
    .select("time_zone_id")
    .where("plant_id", "=", caller.plantId)
    .executeTakeFirstOrThrow();
  const accountId = await createPlant(db, { userId, plantName: unit.device_sn, timeZoneId, firstSms: 0 }, now);
  await db
    .updateTable("plants")
    .set({ reserved_device_id: unit.device_id })
    .where("plant_id", "=", accountId)
    .execute();
  const detail = { accountId, deviceId: unit.device_id };
  await audit(db, { plantId: accountId, userId, action: "account.open", detail, now });
  return accountId;
};

/**
 * Opens a new account for the user, with a plant that waits for this unit, and signs in to it. (decisions §2) Until the unit is added or the user
 * switches to the account, the next sign-in opens the previous account, so that users do not end up in an empty plant.
 */
export const openAccount = async (
  world: Pick<World, "db" | "clock" | "closed">,
  deviceSnId: string,
  caller: Caller,
): Promise<SignedIn> => {
  const unit = await freeUnit(world, deviceSnId);
  if (unit.device_type !== DeviceType.main)
    throw invalid("A sub-device reports through a main device: add it to the main device's account");
  const now = world.clock.date();
  return world.db.transaction().execute(async (trx) => {
    const accountId = (await openedBefore(trx, caller.userId, unit.device_id)) ?? (await open(trx, caller, unit, now));
    const { isBySso } = await keptOf(trx, caller.tokenHash);
    return signIn(trx, now, caller, { userId: caller.userId, accountId, isBySso, keepsCurrent: true });
  });
};
