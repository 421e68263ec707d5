import type { ChannelSetup, DeviceSetup } from "@telltale/contract/domains/channel-settings";
import type { Scope } from "../../../access/index.ts";
import type { Database } from "../../../platform/database/schema/schema.ts";
import { isBuiltIn } from "./keys.rules.ts";
import { savedKeys } from "./save.rules.ts";
import { type ChannelWithSettings, channelsWithSettings, settingsOfDevice } from "./setup-queries.ts";

/** A channel as listed. */
export const rowOf = (row: ChannelWithSettings) => ({
  deviceChannelId: row.channel_id,
  channelName: row.channel_name,
  channelCn: row.channel_cn,
  channelType: row.channel_type,
  channelAnalogId: row.settings.analogId,
  unit: row.settings.unit,
  channelSwitch: row.channel_switch ? 1 : 0,
});

const setupOf = (row: ChannelWithSettings, confirmed: number): ChannelSetup => ({
  ...rowOf(row),
  isBuiltIn: isBuiltIn(row.channel_type, row.settings),
  channelKeys: savedKeys(row),
  isPending: row.version > confirmed,
});

/** Factory version; no update pending. */
const factoryVersion = 1;

/** A device with its channels for editing; undefined when it is not in the account's scope. */
export const deviceSetup = async (db: Database, scope: Scope, deviceId: number): Promise<DeviceSetup | undefined> => {
  // The device first: a concurrent save then shows in the channels but not in the version, and a save based on that is rejected.
  const device = await settingsOfDevice(db, scope, deviceId);
  if (!device) return undefined;
  const channels = await channelsWithSettings(db, scope, deviceId);
  const confirmed = device.confirmed_version ?? factoryVersion;
  return {
    deviceId,
    deviceName: device.device_name,
    deviceType: device.device_type,
    typeId: device.type_id,
    reportIntervalDefault: device.report_interval_default,
    reportIntervalLimit: device.report_interval_limit,
    settingsVersion: device.version,
    savedTime: device.saved_time,
    savedBy: device.saved_by ?? "",
    isPending: device.version > confirmed,
    confirmedTime: device.confirmed_time,
    channels: channels.map((row) => setupOf(row, confirmed)),
  };
};
