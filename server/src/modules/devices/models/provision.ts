import { randomBytes } from "node:crypto";
import type { ChannelSettings } from "@telltale/contract/domains/channels";
import { DeviceType, type Model, shortestReportInterval } from "@telltale/contract/domains/devices";
import type { Database } from "../../../platform/database/schema/schema.ts";
import type { ChannelModel } from "./channel-model.ts";
import { channelsOf, existsAs, partNumberOf } from "./models.ts";

/** Deviations of a new device's channel from its model. */
export interface ChannelChange {
  name?: string;
  settings?: Partial<ChannelSettings>;
}

export interface NewDevice {
  model: Model;
  deviceType: DeviceType;
  /** Printed on the unit; generated if absent. */
  deviceSnId?: string;
  /** Already stored in the unit; generated if absent. */
  accessToken?: string;
  channels?: Record<string, ChannelChange>;
}

/** A unit with its credentials, for the operator to store in it. */
export interface ProvisionedDevice {
  deviceId: number;
  deviceSnId: string;
  deviceSn: string;
  accessToken: string;
  typeId: Model;
  deviceType: DeviceType;
}

/** Vendor prefix of generated device IDs, as in MAC addresses. */
const makerPrefix = "7C9EBD";

const newDeviceId = (): string => makerPrefix + randomBytes(3).toString("hex").toUpperCase();

/** A token of 20 letters and digits, the usual length of the device API's clients; some 119 bits. */
export const newAccessToken = (): string => {
  const text = randomBytes(32)
    .toString("base64")
    .replace(/[^A-Za-z0-9]/g, "");
  return text.length < 20 ? newAccessToken() : text.slice(0, 20);
};

const insertDevice = async (db: Database, device: NewDevice, now: Date): Promise<ProvisionedDevice> => {
  const deviceSnId = device.deviceSnId ?? newDeviceId();
  const row = await db
    .insertInto("devices")
    .values({
      device_sn_id: deviceSnId,
      device_sn: partNumberOf(device.model, device.deviceType),
      access_token: device.accessToken ?? newAccessToken(),
      type_id: device.model,
      device_type: device.deviceType,
      created_time: now,
      report_interval_limit: shortestReportInterval[device.deviceType],
    })
    .onConflict((conflict) => conflict.column("device_sn_id").doNothing())
    .returning(["device_id", "device_sn", "access_token"])
    .executeTakeFirst();
  if (!row) {
    if (device.deviceSnId) throw new Error(`There is already a device ${device.deviceSnId}`);
    return insertDevice(db, device, now); // a random ID that exists already
  }
  return {
    deviceId: row.device_id,
    deviceSnId,
    deviceSn: row.device_sn,
    accessToken: row.access_token,
    typeId: device.model,
    deviceType: device.deviceType,
  };
};

const insertChannels = async (
  db: Database,
  deviceId: number,
  models: readonly ChannelModel[],
  changes: Record<string, ChannelChange>,
  now: Date,
): Promise<void> => {
  const rows = await db
    .insertInto("channels")
    .values(
      models.map(({ code, type, group }, position) => ({
        device_id: deviceId,
        channel_cn: code,
        channel_name: changes[code]?.name ?? code,
        channel_type: type,
        group_name: group,
        position,
      })),
    )
    .returning(["channel_id", "channel_cn"])
    .execute();
  const settingsOf = new Map(models.map(({ code, settings }) => [code, { ...settings, ...changes[code]?.settings }]));
  const periods = rows.map(({ channel_id, channel_cn }) => ({
    channel_id,
    start_time: now,
    settings: JSON.stringify(settingsOf.get(channel_cn)),
  }));
  await db.insertInto("settings_periods").values(periods).execute();
};

/**
 * Creates an unclaimed device with its model's channels and their first settings period from `now` on. Call in a transaction: a device without
 * channels is useless.
 */
export const provisionDevice = async (db: Database, device: NewDevice, now: Date): Promise<ProvisionedDevice> => {
  const models = channelsOf(device.model, device.deviceType);
  const unknown = Object.keys(device.channels ?? {}).find((code) => !models.some((model) => model.code === code));
  if (unknown) throw new Error(`A device of model ${device.model} has no channel ${unknown}`);
  if (!existsAs(device.model, device.deviceType)) throw new Error(`There is no ${describe(device)}`);
  const provisioned = await insertDevice(db, device, now);
  await insertChannels(db, provisioned.deviceId, models, device.channels ?? {}, now);
  return provisioned;
};

const describe = ({ model, deviceType }: NewDevice): string =>
  `${deviceType === DeviceType.sub ? "sub-device" : "main device"} of model ${model}`;
