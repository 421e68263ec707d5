import {
  type DeviceDetail,
  type DeviceHeader,
  type DeviceInfo,
  DeviceStatus,
  Model,
  type ReportIntervals,
  type SubDeviceRow,
} from "@telltale/contract/domains/devices";
import { devicesInScope, type Scope, statusOf } from "../../access/index.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { channelsOfDevice } from "../channels/index.ts";
import { intervalsInForce } from "./configure/interval.ts";

/**
 * Devices in the account's scope, with status and master's name, as in every list and the detail page. A viewer is not told the name of a master that
 * is not on the viewer's dashboard.
 */
export const visibleDevices = (db: Database, scope: Scope, now: Date) =>
  devicesInScope(db, scope)
    .leftJoin(
      () => devicesInScope(db, scope).select(["devices.device_id", "devices.device_name"]).as("master"),
      (join) => join.onRef("master.device_id", "=", "devices.parent_device_id"),
    )
    .selectAll("devices")
    .select("master.device_name as parent_device_name")
    .select(statusOf(now).as("status"));

export type VisibleDevice = Awaited<ReturnType<ReturnType<typeof visibleDevices>["executeTakeFirstOrThrow"]>>;

/** Fields common to lists and detail page. INSTALLED is the time of the claim. */
export const deviceFields = (device: VisibleDevice): SubDeviceRow => ({
  deviceId: device.device_id,
  deviceSn: device.device_sn,
  deviceSnId: device.device_sn_id,
  deviceName: device.device_name,
  typeId: device.type_id,
  deviceType: device.device_type,
  status: device.status,
  activate: device.last_seen_time === null ? 0 : 1,
  onlineStatus: device.status === DeviceStatus.alert || device.status === DeviceStatus.normal ? 1 : 0,
  createdTime: device.claimed_time ?? device.created_time,
  expireTime: device.expire_time,
  payTime: device.pay_time ?? "N/A",
  parentDeviceId: device.parent_device_id,
  parentDeviceName: device.parent_device_name,
  modbusAddress: device.modbus_address,
  isDisabled: device.is_disabled,
  timeZoneId: device.time_zone_id,
  offlineReport: device.offline_report,
  periodicity: device.periodicity,
  reportIntervalDefault: device.report_interval_default,
  reportIntervalLimit: device.report_interval_limit,
  version: device.version,
});

const infoOf = (device: VisibleDevice, reportIntervals: ReportIntervals): DeviceInfo => ({
  temperature: device.temperature,
  humidity: device.humidity,
  power: device.power,
  wakeupMode: device.wakeup_mode,
  periodicity: device.periodicity,
  reportIntervals,
  reportIntervalDefault: device.report_interval_default,
  firmwareVersion: device.firmware_version,
  lastSeen: device.last_seen_time,
});

/** A device for its detail page; undefined when it is not in the account's scope. */
export const deviceOnScreen = async (
  db: Database,
  scope: Scope,
  deviceId: number,
  now: Date,
): Promise<{ device: DeviceDetail; deviceInfo: DeviceInfo } | undefined> => {
  const device = await visibleDevices(db, scope, now).where("devices.device_id", "=", deviceId).executeTakeFirst();
  if (!device) return undefined;
  const [reportIntervals, modbusChannels] = await Promise.all([
    intervalsInForce(db, deviceId),
    device.type_id === Model.motorController ? channelsOfDevice(db, scope, deviceId, now) : [],
  ]);
  return { device: { ...deviceFields(device), modbusChannels }, deviceInfo: infoOf(device, reportIntervals) };
};

const headerOf = (device: VisibleDevice, reportIntervals: ReportIntervals): DeviceHeader => ({
  ...deviceFields(device),
  reportIntervals,
  firmwareVersion: device.firmware_version,
  lastSeen: device.last_seen_time,
});

/** A device for the header of its configuration; undefined when it is not in the account's scope. */
export const deviceHeader = async (db: Database, scope: Scope, deviceId: number, now: Date) => {
  const device = await visibleDevices(db, scope, now).where("devices.device_id", "=", deviceId).executeTakeFirst();
  return device && headerOf(device, await intervalsInForce(db, deviceId));
};
