import { z } from "zod";
import { get, post } from "../call/call.ts";
import { page, pageQuery } from "../call/paging.ts";
import * as wire from "../call/wire.ts";
import { deviceIdField, namedField } from "../text/text-fields.ts";

/** Device models. Model 6 is always a sub-device; 1, 2, 3 and 5 exist as main and as sub-devices; 4 is a main device. */
export const Model = {
  analog: 1,
  digitalInput: 2,
  digitalOutput: 3,
  mixed: 4,
  vibration: 5,
  motorController: 6,
} as const;
export type Model = (typeof Model)[keyof typeof Model];

/** Name of a model on the command line, and first part of its P/N. */
export const modelPrefixes: Record<Model, string> = { 1: "AIS", 2: "DIS", 3: "DOS", 4: "MIX", 5: "VBS", 6: "MPA2" };

export const DeviceType = { main: 1, sub: 2 } as const;
export type DeviceType = (typeof DeviceType)[keyof typeof DeviceType];

/** Hardware minimum of a unit's report interval in seconds, whatever its service package: a battery unit sleeps between reports. */
export const shortestReportInterval: Record<DeviceType, number> = { 1: 1, 2: 10 };

/** The minimum report interval in seconds of a unit of this type with a service package. */
export const intervalLimit = (deviceType: DeviceType, ofPackage: number): number =>
  Math.max(ofPackage, shortestReportInterval[deviceType]);

/** Device status: the first that applies in the order 3, 5, 4, 1, 2. (spec 1 §4) */
export const DeviceStatus = { alert: 1, normal: 2, inactive: 3, offline: 4, paymentDue: 5 } as const;
export type DeviceStatus = (typeof DeviceStatus)[keyof typeof DeviceStatus];
export const deviceStatusLabels: Record<DeviceStatus, string> = {
  1: "Alert",
  2: "Normal",
  3: "Inactive",
  4: "Offline",
  5: "Payment Due",
};

const deviceFields = {
  deviceId: z.int(),
  /** P/N. */
  deviceSn: z.string(),
  /** Device ID. */
  deviceSnId: z.string(),
  deviceName: z.string(),
  typeId: z.enum(Model),
  deviceType: z.enum(DeviceType),
  status: z.enum(DeviceStatus),
  /** 1 once it has been heard. */
  activate: z.int(),
  /** 1 while it reports: its status is Alert or Normal. */
  onlineStatus: z.int(),
  createdTime: wire.time(),
  expireTime: wire.time().nullable(),
  payTime: z.union([z.literal("N/A"), wire.time()]),
  parentDeviceId: z.int().nullable(),
  parentDeviceName: z.string().nullable(),
  /** Modbus address of a third-party device; null for any other. */
  modbusAddress: z.int().nullable(),
  /** Readings of a disabled device are refused; its status is Inactive. */
  isDisabled: z.boolean(),
  timeZoneId: z.string(),
  /** Minutes without data until it is offline. */
  offlineReport: z.int(),
  /** Report interval in seconds, that of the factory, and its allowed minimum. */
  periodicity: z.int(),
  reportIntervalDefault: z.int(),
  reportIntervalLimit: z.int(),
  /** Incremented by every configuration change: see `deviceConfiguration.update`. */
  version: z.int(),
};

export const SubDeviceRow = z.object(deviceFields);
export type SubDeviceRow = z.output<typeof SubDeviceRow>;

export const DeviceRow = z.object({ ...deviceFields, subDevices: z.array(SubDeviceRow) });
export type DeviceRow = z.output<typeof DeviceRow>;

/** A register of a third-party modbus device with its newest value. */
const ModbusChannelValue = z.object({
  deviceChannelId: z.int(),
  channelName: z.string(),
  value: z.number().nullable(),
  status: z.int(),
  unit: z.string(),
});

/** A device on its detail screen. */
export const DeviceDetail = z.object({
  ...deviceFields,
  /** Empty for a device of any other model. */
  modbusChannels: z.array(ModbusChannelValue),
});
export type DeviceDetail = z.output<typeof DeviceDetail>;

/**
 * Shortest and longest report interval of the device's channels in seconds; null while no channel is on. `periodicity` is what all channels
 * were last given together and does not reflect later changes of single channels.
 */
export const ReportIntervals = z.object({ least: z.int(), most: z.int() }).nullable();
export type ReportIntervals = z.output<typeof ReportIntervals>;

/** What the device reports about itself. Temperature in degC, humidity and power in percent; null when never reported. */
export const DeviceInfo = z.object({
  temperature: z.number().nullable(),
  humidity: z.number().nullable(),
  power: z.number().nullable(),
  wakeupMode: z.string().nullable(),
  periodicity: z.int(),
  reportIntervals: ReportIntervals,
  reportIntervalDefault: z.int(),
  firmwareVersion: z.string().nullable(),
  lastSeen: wire.time().nullable(),
});
export type DeviceInfo = z.output<typeof DeviceInfo>;

/** The head of a device's configuration. Report intervals in seconds; `reportIntervalLimit` is the minimum of its service package. */
export const DeviceHeader = z.object({
  ...deviceFields,
  reportIntervals: ReportIntervals,
  firmwareVersion: z.string().nullable(),
  lastSeen: wire.time().nullable(),
});
export type DeviceHeader = z.output<typeof DeviceHeader>;

const listFilter = {
  status: wire.list(wire.anyOf(DeviceStatus)).optional(),
  deviceSn: wire.text().optional(),
  deviceSnId: wire.text().optional(),
  deviceName: wire.text().optional(),
  statTime: wire.rangeStart().optional(),
  endTime: wire.rangeEnd().optional(),
  statTimeTwo: wire.rangeStart().optional(),
  endTimeTwo: wire.rangeEnd().optional(),
  statTimeThree: wire.rangeStart().optional(),
  endTimeThree: wire.rangeEnd().optional(),
};

const blankName = "DEVICE NAME Cannot be blank";
/** A device name as typed by a user. */
export const deviceNameField = namedField(blankName);

export const devices = {
  list: get("/api/device/list", {
    access: "devices.list",
    summary:
      "Devices of the plant with their sub-devices, by installation date. Filters apply to sub-devices too; a main device is shown when it or one of its sub-devices matches",
    query: z.object({ ...pageQuery, ...listFilter }),
    result: page(DeviceRow),
  }),
  onDashboard: get("/api/dashboard/device", {
    access: "dashboard.read",
    summary: "The device list; a viewer sees the devices of its dashboard",
    query: z.object({ ...pageQuery }),
    result: page(DeviceRow),
  }),
  detail: get("/api/device/detail/info", {
    access: "devices.read",
    summary: "A device with the attributes it reports",
    query: z.object({ deviceId: wire.int() }),
    result: z.object({ device: DeviceDetail, deviceInfo: DeviceInfo }),
  }),
  header: get("/api/channel/header", {
    access: "configuration.read",
    summary: "The head of a device's configuration: model, master and report interval",
    query: z.object({ deviceId: wire.int() }),
    result: DeviceHeader,
  }),
  lookUp: get("/api/device/getSn", {
    access: "devices.lookUp",
    summary: "The P/N of an unclaimed device ID; 404 when unknown, 409 when claimed",
    query: z.object({ deviceSnId: deviceIdField() }),
    result: z.object({ deviceSn: z.string(), deviceSnId: z.string(), deviceType: z.int(), typeId: z.int() }),
  }),
  add: post("/api/device/add", {
    access: "devices.add",
    summary:
      "Claims a device for the plant, a sub-device with its master. A main device comes with a year of service; a sub-device shares its master's",
    body: z.object({
      deviceSnId: deviceIdField(),
      deviceName: deviceNameField,
      accountId: wire.int().optional(),
      parentDeviceId: wire.int().optional(),
    }),
    result: z.object({ deviceId: z.int() }),
  }),
};
