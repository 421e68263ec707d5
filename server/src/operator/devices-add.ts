import { DeviceType, Model, modelPrefixes } from "@telltale/contract/domains/devices";
import { existsAs, masterById, type ProvisionedDevice, provisionDevice, saveClaim } from "../modules/devices/index.ts";
import { claimError } from "../modules/devices/rules.ts";
import type { Database } from "../platform/database/schema/schema.ts";
import { OperatorError } from "../platform/operator-error.ts";
import { plantOf } from "./accounts.ts";
import type { Operator } from "./open.ts";
import type { Row } from "./print.ts";

export interface AddDevices {
  model: string;
  count: number;
  main?: boolean;
  sub?: boolean;
  owner?: string;
  plant?: string;
  name?: string;
  parent?: string;
}

const modelOf = (name: string): Model => {
  const found = Object.values(Model).find((model) => modelPrefixes[model] === name.toUpperCase());
  if (found === undefined)
    throw new OperatorError(`There is no model ${name}: choose one of ${Object.values(modelPrefixes).join(", ")}`);
  return found;
};

/** The requested device type, or the model's only one; a model that exists as both becomes a main device. */
const typeOf = (model: Model, { main, sub, parent }: AddDevices): DeviceType => {
  if (main && sub) throw new OperatorError("Choose --main or --sub, not both");
  const isOnlySub = !existsAs(model, DeviceType.main);
  const type = sub || (!main && (parent !== undefined || isOnlySub)) ? DeviceType.sub : DeviceType.main;
  if (!existsAs(model, type))
    throw new OperatorError(`A ${modelPrefixes[model]} is always a ${isOnlySub ? "sub-device" : "main device"}`);
  return type;
};

const parentOf = async (db: Database, deviceSnId: string | undefined): Promise<number | undefined> => {
  if (deviceSnId === undefined) return undefined;
  const row = await db
    .selectFrom("devices")
    .select("device_id")
    .where("device_sn_id", "=", deviceSnId)
    .executeTakeFirst();
  if (!row) throw new OperatorError(`There is no device ${deviceSnId}`);
  return row.device_id;
};

type Claim = (device: ProvisionedDevice, number: number) => Promise<void>;

const nameOf = (options: AddDevices, device: ProvisionedDevice, number: number): string => {
  if (!options.name) return device.deviceSnId;
  return options.count === 1 ? options.name : `${options.name} ${number}`;
};

/** Returns the function that claims a new device; its inputs are checked before the first device is created. */
const claimFor = async (
  { db, clock }: Operator,
  options: AddDevices,
  deviceType: DeviceType,
): Promise<Claim | undefined> => {
  if (!options.owner) {
    if (options.name || options.parent)
      throw new OperatorError(
        "--name and --parent need --owner: the owner of the plant to which the devices are added",
      );
    return undefined;
  }
  const { plantId, userId } = await plantOf(db, options.owner, options.plant);
  const parentDeviceId = await parentOf(db, options.parent);
  const master = parentDeviceId === undefined ? undefined : await masterById(db, plantId, parentDeviceId);
  if (parentDeviceId !== undefined && !master)
    throw new OperatorError(`The device ${options.parent} belongs to another plant`);
  const validationError = claimError({ deviceType }, master);
  if (validationError) throw new OperatorError(`${validationError} (--parent DEVICEID)`);
  return async (device, number) => {
    const { deviceId, deviceSnId } = device;
    const deviceName = nameOf(options, device, number);
    const claim = { deviceId, deviceSnId, deviceName, plantId, parentDeviceId: parentDeviceId ?? null, userId };
    await saveClaim(db, { ...claim, now: clock.date() });
  };
};

/** Creates units as from the factory, and claims them for a plant if an owner is given. */
export const addDevices = async (operator: Operator, options: AddDevices): Promise<Row[]> => {
  const model = modelOf(options.model);
  const deviceType = typeOf(model, options);
  const claim = await claimFor(operator, options, deviceType);
  const rows: Row[] = [];
  for (let number = 1; number <= options.count; number += 1) {
    const made = await operator.db
      .transaction()
      .execute((trx) => provisionDevice(trx, { model, deviceType }, operator.clock.date()));
    await claim?.(made, number);
    const { deviceSnId, deviceSn, accessToken } = made;
    rows.push({ deviceSnId, deviceSn, deviceType: deviceType === DeviceType.main ? "main" : "sub", accessToken });
  }
  return rows;
};
