import type { DeviceAttributes, SharedAttributes } from "@telltale/contract/device-api";
import { batched } from "../../platform/database/batched.ts";
import type { World } from "../../world.ts";
import type { FindSharedAttributes } from "./shared-attributes.ts";

/** The requested keys, each a comma-separated list. Without either, all attributes are requested. */
export interface AttributeKeys {
  clientKeys?: unknown;
  sharedKeys?: unknown;
}

/** The requested attributes: client attributes are reported by the device, shared attributes are set for it. */
export interface FoundAttributes {
  client?: Partial<DeviceAttributes>;
  shared?: Partial<SharedAttributes>;
}

export type FindAttributes = (deviceId: number, keys: AttributeKeys) => Promise<FoundAttributes>;

const selectClient = `
  SELECT d.device_id, json_strip_nulls(json_build_object('firmwareVersion', d.firmware_version, 'wakeupMode', d.wakeup_mode, 'power', d.power,
           'temperature', d.temperature, 'humidity', d.humidity, 'settingsVersion', s.confirmed_version)) AS attributes
    FROM devices d LEFT JOIN device_settings s USING (device_id) WHERE d.device_id = ANY($1)`;

const clientAttributesFinder = ({ pool }: Pick<World, "pool">) =>
  batched(async (deviceIds: readonly number[]) => {
    const { rows } = await pool.query<{ device_id: number; attributes: Partial<DeviceAttributes> }>(selectClient, [
      [...new Set(deviceIds)],
    ]);
    const found = new Map(rows.map(({ device_id, attributes }) => [device_id, attributes]));
    return deviceIds.map((deviceId) => found.get(deviceId));
  });

const keysIn = (requested: unknown): ReadonlySet<string> | undefined =>
  typeof requested === "string" && requested !== ""
    ? new Set(requested.split(",").map((key) => key.trim()))
    : undefined;

const only = <Attributes extends object>(all: Attributes | undefined, wanted: ReadonlySet<string> | undefined) =>
  Object.fromEntries(Object.entries(all ?? {}).filter(([key]) => !wanted || wanted.has(key))) as Partial<Attributes>;

/** Returns a function that reads the attributes named by a device's request. */
export const attributesFinder = (world: Pick<World, "pool">, findShared: FindSharedAttributes): FindAttributes => {
  const findClient = clientAttributesFinder(world);
  return async (deviceId, requested) => {
    const [clientKeys, sharedKeys] = [keysIn(requested.clientKeys), keysIn(requested.sharedKeys)];
    const isAll = !clientKeys && !sharedKeys;
    return {
      ...(isAll || clientKeys ? { client: only(await findClient(deviceId), clientKeys) } : {}),
      ...(isAll || sharedKeys ? { shared: only(await findShared(deviceId), sharedKeys) } : {}),
    };
  };
};
