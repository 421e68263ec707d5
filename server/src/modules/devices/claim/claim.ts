import type { Input } from "@telltale/contract/call/call";
import type { devices } from "@telltale/contract/domains/devices";
import { KeyMessage } from "@telltale/contract/domains/people/api-keys";
import type { Database } from "../../../platform/database/schema/schema.ts";
import { conflict, invalid, notAllowed, notFound } from "../../../platform/http/api-error.ts";
import type { Caller } from "../../../platform/http/caller.ts";
import { checkPermission } from "../../../platform/http/gate.ts";
import type { World } from "../../../world.ts";
import { claimError } from "../rules.ts";
import { claimedId, freeUnit, masterById, ownAccount, saveClaim } from "./claim-queries.ts";

/** The plant to claim for: the caller's, or that of another account of the user that may add devices. */
const plantFor = async (db: Database, caller: Caller, accountId: number | undefined): Promise<number> => {
  if (accountId === undefined || accountId === caller.accountId) return caller.plantId;
  // Its role is one in its own plant; its member may hold more in another.
  if (caller.key) throw notAllowed(KeyMessage.ownPlantOnly);
  const account = await ownAccount(db, caller.userId, accountId);
  if (!account) throw notFound();
  checkPermission("devices.add", { roleType: account.role_type, isAdmin: caller.isAdmin });
  return account.plant_id;
};

const masterFor = async (db: Database, plantId: number, parentDeviceId: number | undefined) => {
  if (parentDeviceId === undefined) return undefined;
  const master = await masterById(db, plantId, parentDeviceId);
  if (!master) throw notFound();
  return master;
};

/** A claimed device and its plant. */
export interface Claimed {
  plantId: number;
  deviceId: number;
}

/** Claims a unit for a plant of the caller; of two concurrent claims the second gets 409. */
export const claimUnit = async (
  world: Pick<World, "db" | "closed">,
  input: Input<typeof devices.add>,
  caller: Caller,
  now: Date,
): Promise<Claimed> => {
  const { db } = world;
  const plantId = await plantFor(db, caller, input.accountId);
  const unit = await freeUnit(world, input.deviceSnId);
  const master = await masterFor(db, plantId, input.parentDeviceId);
  const validationError = claimError({ deviceType: unit.device_type }, master);
  if (validationError) throw invalid(validationError);
  const isSaved = await saveClaim(db, {
    deviceId: unit.device_id,
    deviceSnId: unit.device_sn_id,
    deviceName: input.deviceName,
    plantId,
    parentDeviceId: input.parentDeviceId ?? null,
    userId: caller.userId,
    now,
  });
  if (!isSaved) throw conflict(claimedId);
  return { plantId, deviceId: unit.device_id };
};
