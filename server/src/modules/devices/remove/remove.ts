import { DeviceType } from "@telltale/contract/domains/devices";
import { statusOf } from "../../../access/index.ts";
import { reloadGated } from "../../../alarms/index.ts";
import { notify } from "../../../platform/bus/device-notices.ts";
import type { Database } from "../../../platform/database/schema/schema.ts";
import { invalid, notFound } from "../../../platform/http/api-error.ts";
import type { Caller } from "../../../platform/http/caller.ts";
import type { World } from "../../../world.ts";
import { settle } from "../../joint/index.ts";
import { type LockedDevice, record } from "../configure/change-queries.ts";
import { removeError } from "../configure/configuration.rules.ts";
import { provisionDevice } from "../models/provision.ts";
import { detachDevice, isExpected, subDeviceCount } from "./queries.ts";

/** Reads and locks the device, also against sub-devices being added to it. */
const lockedWithStatus = (db: Database, plantId: number, deviceId: number, now: Date) =>
  db
    .selectFrom("devices")
    .selectAll()
    .select(statusOf(now).as("status"))
    .where("plant_id", "=", plantId)
    .where("device_id", "=", deviceId)
    .forUpdate()
    .executeTakeFirst();

/** Paid service of a main device; a sub-device shares its master's. */
const serviceOf = (device: LockedDevice) =>
  device.device_type === DeviceType.main
    ? {
        expire_time: device.expire_time,
        pay_time: device.pay_time,
        report_interval_limit: device.report_interval_limit,
      }
    : {};

/** Reassigns accounts that were opened for a unit to the unit's new row. */
const moveReservations = (db: Database, deviceId: number, to: number | null) =>
  db.updateTable("plants").set({ reserved_device_id: to }).where("reserved_device_id", "=", deviceId).execute();

/**
 * Recreates the unit as from the factory, to be claimed again by its ID, with its remaining service. Not for third-party devices, whose ID was
 * generated for this plant, and not for devices that were only expected: no unit has their ID.
 */
const releaseUnit = async (db: Database, device: LockedDevice, now: Date): Promise<void> => {
  if (device.modbus_address !== null || (await isExpected(db, device.device_id))) return;
  const unit = {
    model: device.type_id,
    deviceType: device.device_type,
    deviceSnId: device.device_sn_id,
    accessToken: device.access_token,
  };
  const { deviceId } = await provisionDevice(db, unit, now);
  // Keeps its model and properties.
  await db
    .updateTable("devices")
    .set({
      device_sn: device.device_sn,
      created_time: device.created_time,
      firmware_version: device.firmware_version,
      is_used: true,
      ...serviceOf(device),
    })
    .where("device_id", "=", deviceId)
    .execute();
  await moveReservations(db, device.device_id, deviceId);
};

/** Deletes a device; see the contract. */
export const removeDevice = (
  { db, clock }: Pick<World, "db" | "clock">,
  deviceId: number,
  caller: Caller,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const { plantId } = caller;
    const now = clock.date();
    const device = await lockedWithStatus(trx, plantId, deviceId, now);
    if (!device) throw notFound();
    const subDevices = await subDeviceCount(trx, deviceId);
    const validationError = removeError({ status: device.status, isDisabled: device.is_disabled, subDevices });
    if (validationError) throw invalid(validationError);
    // Releases outputs driven by its alerts, before the rules are deleted.
    await settle(trx, now, false);
    await detachDevice(trx, device, now);
    await releaseUnit(trx, device, now);
    const { device_name: deviceName, device_sn_id: deviceSnId, device_sn: deviceSn } = device;
    const detail = { target: deviceName, before: { deviceName, deviceSnId, deviceSn } };
    await record(trx, { caller, deviceId, action: "device.delete", detail, now });
    await notify(trx, { plantId, deviceId, ended: "deleted" });
    await reloadGated(trx, plantId, deviceId);
  });
