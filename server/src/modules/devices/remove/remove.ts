import { DeviceType } from "@telltale/contract/domains/devices";
import { statusOf } from "../../../access/index.ts";
import { notify } from "../../../platform/bus/device-notices.ts";
import type { Database } from "../../../platform/database/schema/schema.ts";
import { invalid, notFound } from "../../../platform/http/api-error.ts";
import type { Caller } from "../../../platform/http/caller.ts";
import type { World } from "../../../world.ts";
import { settle } from "../../joint/index.ts";
import { type LockedDevice, record } from "../configure/change-queries.ts";
import { removeError } from "../configure/configuration.rules.ts";
import { provisionDevice } from "../models/provision.ts";
import { detachDevice, subDeviceCount } from "./queries.ts";

/** Locked against sub-devices that are being added to it, too. */
const lockedWithStatus = (db: Database, plantId: number, deviceId: number, now: Date) =>
  db
    .selectFrom("devices")
    .selectAll()
    .select(statusOf(now).as("status"))
    .where("plant_id", "=", plantId)
    .where("device_id", "=", deviceId)
    .forUpdate()
    .executeTakeFirst();

/** Of a main device: what was paid for it, until when, and what that allows. A sub-device has these of its master. */
const serviceOf = (device: LockedDevice) =>
  device.device_type === DeviceType.main
    ? {
        expire_time: device.expire_time,
        pay_time: device.pay_time,
        report_interval_limit: device.report_interval_limit,
      }
    : {};

/** Accounts that were opened for a unit are meant again when one is opened for it once more. */
const moveReservations = (db: Database, deviceId: number, to: number | null) =>
  db.updateTable("plants").set({ reserved_device_id: to }).where("reserved_device_id", "=", deviceId).execute();

/**
 * The unit as it left the works, to be added by its ID afresh, with the service that it has. A third-party device has no unit of ours: its ID was
 * made for this plant.
 */
const releaseUnit = async (db: Database, device: LockedDevice, now: Date): Promise<void> => {
  if (device.modbus_address !== null) return;
  const unit = {
    model: device.type_id,
    deviceType: device.device_type,
    deviceSnId: device.device_sn_id,
    accessToken: device.access_token,
  };
  const { deviceId } = await provisionDevice(db, unit, now);
  // What it is made of it keeps.
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

/** Deletes a device: see the contract. */
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
    // Outputs that its alerts have driven let go, before the rules that say so are gone.
    await settle(trx, now, false);
    await detachDevice(trx, device, now);
    await releaseUnit(trx, device, now);
    const { device_name: deviceName, device_sn_id: deviceSnId, device_sn: deviceSn } = device;
    const detail = { target: deviceName, before: { deviceName, deviceSnId, deviceSn } };
    await record(trx, { caller, deviceId, action: "device.delete", detail, now });
    await notify(trx, { plantId, deviceId, ended: "deleted" });
  });
