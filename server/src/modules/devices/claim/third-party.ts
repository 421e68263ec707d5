import type { Input } from "@telltale/contract/call/call";
import type { deviceConfiguration } from "@telltale/contract/domains/device-configuration";
import { DeviceType, Model } from "@telltale/contract/domains/devices";
import type { Database } from "../../../platform/database/schema/schema.ts";
import { type CallDevice, CallFailed } from "../../../platform/device-calls.ts";
import { conflict, invalid, notFound } from "../../../platform/http/api-error.ts";
import type { Caller } from "../../../platform/http/caller.ts";
import type { World } from "../../../world.ts";
import { record } from "../configure/change-queries.ts";
import { masterError } from "../configure/configuration.rules.ts";
import { provisionDevice } from "../models/provision.ts";
import { writeClaim } from "./claim-queries.ts";
import { checkFrom, checkOf, checkSentence, failedCheck } from "./modbus-check.rules.ts";

type Needs = Pick<World, "db" | "clock">;

/** Reads the future master and locks it until the transaction ends: no other device can be added at the same address, nor the master deleted. */
const lockedMaster = (db: Database, plantId: number, deviceId: number) =>
  db
    .selectFrom("devices")
    .select(["device_id", "device_name", "device_type"])
    .where("plant_id", "=", plantId)
    .where("device_id", "=", deviceId)
    .forNoKeyUpdate()
    .executeTakeFirst();

const holderOf = (db: Database, masterId: number, address: number) =>
  db
    .selectFrom("devices")
    .select("device_name")
    .where("parent_device_id", "=", masterId)
    .where("modbus_address", "=", address)
    .executeTakeFirst();

/** Adds a third-party device to a master's line; see the contract. */
export const addThirdParty = (
  { db, clock }: Needs,
  input: Input<typeof deviceConfiguration.addThirdParty>,
  caller: Caller,
): Promise<{ deviceId: number; deviceSnId: string }> =>
  db.transaction().execute(async (trx) => {
    const { plantId, userId } = caller;
    const now = clock.date();
    const master = await lockedMaster(trx, plantId, input.parentDeviceId);
    if (!master) throw notFound();
    const validationError = masterError({ deviceType: master.device_type });
    if (validationError) throw invalid(validationError);
    const holder = await holderOf(trx, master.device_id, input.address);
    if (holder) throw conflict(`Address ${input.address} of this master belongs to ${holder.device_name}`);
    const made = await provisionDevice(trx, { model: Model.motorController, deviceType: DeviceType.sub }, now);
    const { deviceId, deviceSnId } = made;
    const claim = { deviceId, deviceSnId, deviceName: input.deviceName, plantId, userId, now };
    await writeClaim(trx, { ...claim, parentDeviceId: master.device_id });
    await trx.updateTable("devices").set({ modbus_address: input.address }).where("device_id", "=", deviceId).execute();
    return { deviceId, deviceSnId };
  });

/** A device of the plant with its master, if it has one. */
const withMaster = (db: Database, plantId: number, deviceId: number) =>
  db
    .selectFrom("devices")
    .leftJoin("devices as master", "master.device_id", "devices.parent_device_id")
    .select(["devices.device_name", "devices.modbus_address"])
    .select(["master.device_id as master_id", "master.device_name as master_name"])
    .where("devices.plant_id", "=", plantId)
    .where("devices.device_id", "=", deviceId)
    .executeTakeFirst();

/** Has the master query the device at its address. Any result is an answer, not an error, and is recorded. */
export const checkThirdParty = async (
  { db, clock, callDevice }: Needs & { callDevice: CallDevice },
  deviceId: number,
  caller: Caller,
) => {
  const device = await withMaster(db, caller.plantId, deviceId);
  if (!device) throw notFound();
  if (device.modbus_address === null || device.master_id === null)
    throw invalid("This device was not added by an address: there is nothing to check");
  const line = checkFrom(device.modbus_address);
  const check = await callDevice(device.master_id, "modbusCheck", line).then(checkOf, (fault: unknown) => {
    if (!(fault instanceof CallFailed)) throw fault;
    return failedCheck(fault.reason);
  });
  const names = { device: device.device_name, master: device.master_name ?? "" };
  const msg = checkSentence(check, { ...line, ...names });
  await record(db, { caller, deviceId, action: "device.check", detail: { outcome: msg }, now: clock.date() });
  return { state: check.state, msg, address: line.address, baudRate: line.baudRate };
};
