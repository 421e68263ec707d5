import { z } from "zod";
import { get, post } from "../call/call.ts";
import * as wire from "../call/wire.ts";
import { deviceIdField } from "../text/text-fields.ts";
import { deviceNameField } from "./devices.ts";

/** Maximum report interval in seconds; the minimum is `reportIntervalLimit` of the device, from its service package. (spec 2 §9) */
export const longestReportInterval = 43_200;

/** Range of the offline reporting time: minutes without data until a device is offline. (spec 2 §9) */
export const offlineReportRange = { least: 1, most: 1440 } as const;

/** The only third-party controller that can be added by its modbus address. (spec 2 §9) */
export const thirdPartyPartNumber = "MPA2-240-32";

/** Addresses on a modbus line, and its default baud rate. (spec 2 §9) */
export const modbusAddressRange = { least: 1, most: 247 } as const;
export const defaultBaudRate = 9600;

/** Sentences that both console and server use. */
export const DeviceMessage = {
  disableFirst: "Disable op before deleting the device",
  subDevicesFirst: (count: number): string =>
    `Delete the ${count === 1 ? "sub-device" : `${count} sub-devices`} of this device first`,
  noChanges: "There are no changes",
  belowLimit: (limit: number): string => `Cannot be less than: ${limit}`,
  aboveLongest: `Cannot be greater than: ${longestReportInterval}`,
} as const;

const periodicity = wire
  .int("Enter the report interval in whole seconds")
  .refine((seconds) => seconds <= longestReportInterval, { error: DeviceMessage.aboveLongest });

const Updated = z
  .object({
    deviceId: wire.int(),
    deviceName: deviceNameField.optional(),
    /** Minutes. */
    offlineReport: wire.intBetween(offlineReportRange.least, offlineReportRange.most).optional(),
    /** Seconds, at least `reportIntervalLimit` of the device. */
    periodicity: periodicity.optional(),
    version: wire.int().optional(),
  })
  .refine(
    (fields) => [fields.deviceName, fields.offlineReport, fields.periodicity].some((given) => given !== undefined),
    {
      error: DeviceMessage.noChanges,
    },
  );

const { least, most } = modbusAddressRange;
const addressRange = `Enter an address from ${least} to ${most}`;

/** Result of checking a third-party device. */
export const ModbusCheck = {
  found: 1,
  notAnswering: 2,
  masterSilent: 3,
  masterNotConnected: 4,
  masterNotListening: 5,
} as const;
export type ModbusCheck = (typeof ModbusCheck)[keyof typeof ModbusCheck];

/** Effect of `update`: stored values changed, or the device restarted. */
export const UpdateEffect = { changed: 1, restarted: 2 } as const;
export type UpdateEffect = (typeof UpdateEffect)[keyof typeof UpdateEffect];

/** The device configuration list. (spec 2 §2, §5, §7) */
export const deviceConfiguration = {
  /**
   * One call edits a device, changes its report interval or restarts it, depending on the fields sent:
   * - `deviceName` or `offlineReport`: an edit. A `periodicity` sent with them changes the report interval too.
   * - `periodicity` alone, different from the current one: changes the report interval of the device and of all its channels. It is sent to the
   * device as a shared attribute; channels can be given intervals of their own afterwards.
   * - `periodicity` alone, equal to the current one: the specification's device restart. Nothing is stored; the device must be connected.
   *
   * Fields left out stay unchanged. `version` is the one the client read: if it has changed since, nothing is done (409), so that a repeated
   * interval change is not taken for a restart.
   */
  update: post("/api/device/update", {
    access: "devices.configure",
    summary: "Edits a device, changes its report interval, or restarts it: the current interval sent alone restarts",
    body: Updated,
    result: z.object({ effect: z.int(), version: z.int() }),
  }),
  /**
   * A disabled device (1) is Inactive: its open alerts are closed, its connection is ended once, and its readings are refused and counted in
   * its diagnostics until it is enabled (0). It may stay connected, and reports again as soon as it is enabled.
   */
  updateStatus: post("/api/device/updateStatus", {
    access: "devices.configure",
    summary: "Disables a device, whose readings are then refused, or enables it again",
    body: z.object({
      deviceSnId: deviceIdField(),
      isDisabled: wire.oneOf([0, 1], "Send 1 to disable the device, 0 to enable it"),
    }),
    result: z.null(),
  }),
  /**
   * Removes a device from the plant with all its stored data; orders are kept. It must be disabled or never seen, and have no sub-devices.
   * The unit's device ID can be added again at once and starts empty; a third-party device is gone.
   */
  remove: post("/api/device/delete", {
    access: "devices.delete",
    summary: "Deletes a disabled or inactive device and all its data; its device ID can be added again",
    body: z.object({ deviceId: wire.int() }),
    result: z.null(),
  }),
  /** A sub-device whose ID the server generates; its master polls it at this address and reports for it. */
  addThirdParty: post("/api/device/modbus/add", {
    access: "devices.add",
    summary: "Adds a third-party modbus device behind a main device, by its address on the line",
    body: z.object({
      deviceSn: z.literal(thirdPartyPartNumber, { error: `The P/N is ${thirdPartyPartNumber}` }),
      address: z
        .string({ error: "Address cannot be blank" })
        .trim()
        .min(1, { error: "Address cannot be blank" })
        .pipe(wire.intBetween(least, most, addressRange)),
      deviceName: deviceNameField,
      parentDeviceId: z
        .string({ error: "Please select a Master device" })
        .min(1, { error: "Please select a Master device" })
        .pipe(wire.int("Please select a Master device")),
    }),
    result: z.object({ deviceId: z.int(), deviceSnId: z.string() }),
  }),
  checkThirdParty: get("/api/device/modbus/check", {
    access: "devices.configure",
    summary: "Makes the master poll a third-party device on its line, and returns the result",
    query: z.object({ deviceId: wire.int() }),
    result: z.object({
      state: z.int(),
      msg: z.string(),
      address: z.int(),
      baudRate: z.int(),
    }),
  }),
};
