import { z } from "zod";
import { get, post } from "../call/call.ts";
import * as wire from "../call/wire.ts";
import { deviceNameField, typedDeviceId } from "./devices.ts";

/** Longest report interval in seconds; the shortest is what is paid for, `reportIntervalLimit` of the device. (spec 2 §9) */
export const longestReportInterval = 43_200;

/** Minutes of silence after which a device counts as offline. (spec 2 §9) */
export const offlineReportRange = { least: 1, most: 1440 } as const;

/** The third-party controller that can be added by its address; there is no other. (spec 2 §9) */
export const thirdPartyPartNumber = "MPA2-240-32";

/** Addresses of a modbus line, and how fast it is unless it is said. (spec 2 §9) */
export const modbusAddressRange = { least: 1, most: 247 } as const;
export const defaultBaudRate = 9600;

/** Sentences that console and server both say. */
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
  .refine((asked) => [asked.deviceName, asked.offlineReport, asked.periodicity].some((given) => given !== undefined), {
    error: DeviceMessage.noChanges,
  });

const { least, most } = modbusAddressRange;
const addressRange = `Enter an address from ${least} to ${most}`;

/** What a check of a third-party device has found. */
export const ModbusCheck = {
  found: 1,
  notAnswering: 2,
  masterSilent: 3,
  masterNotConnected: 4,
  masterNotListening: 5,
} as const;
export type ModbusCheck = (typeof ModbusCheck)[keyof typeof ModbusCheck];

/** What `update` did: changed what is stored, or had the device restart. */
export const UpdateEffect = { changed: 1, restarted: 2 } as const;
export type UpdateEffect = (typeof UpdateEffect)[keyof typeof UpdateEffect];

/** The list of devices as it is configured. (spec 2 §2, §5, §7) */
export const deviceConfiguration = {
  /**
   * One call edits a device, changes its report interval and restarts it; what is sent tells which:
   * - `deviceName` or `offlineReport`: an edit. A `periodicity` with them changes the report interval too.
   * - `periodicity` alone, other than the one in force: the report interval of the device and of all its channels changes. It goes down as a
   *   shared attribute; channels can be given intervals of their own afterwards.
   * - `periodicity` alone, the very one in force: the specification's device restart. Nothing is stored; the device has to be connected.
   *
   * What is left out stays as it is. `version` of the row that was looked at: when it has changed since, nothing is done (409), so that an
   * interval change that is sent twice is not taken for a restart.
   */
  update: post("/api/device/update", {
    access: "devices.configure",
    summary: "Edits a device, changes its report interval, or restarts it: the interval in force, sent alone, restarts",
    body: Updated,
    result: z.object({ effect: z.int(), version: z.int() }),
  }),
  /**
   * A disabled device (1) is Inactive: its open alerts are closed, its connection is ended once, and its readings are refused and counted in
   * its diagnostics until it is enabled (0). It may connect all the while, and reports again the moment it is enabled.
   */
  updateStatus: post("/api/device/updateStatus", {
    access: "devices.configure",
    summary: "Disables a device, whose readings are refused then, or enables it again",
    body: z.object({
      deviceSnId: typedDeviceId(),
      isDisabled: wire.oneOf([0, 1], "Send 1 to disable the device, 0 to enable it"),
    }),
    result: z.null(),
  }),
  /**
   * Takes a device out of the plant with everything that is stored of it; orders are kept. It has to be disabled or never seen, and to have no
   * sub-devices. The unit's device ID can be added again at once and starts afresh; a third-party device is gone.
   */
  remove: post("/api/device/delete", {
    access: "devices.delete",
    summary: "Deletes a disabled or inactive device and all its data; its device ID is free to be added afresh",
    body: z.object({ deviceId: wire.int() }),
    result: z.null(),
  }),
  /** A sub-device whose ID the server makes; its master reads it at this address and reports for it. */
  addThirdParty: post("/api/device/modbus/add", {
    access: "devices.add",
    summary: "Adds a third-party modbus device that is reached through a main device, by its address on the line",
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
    summary: "Has the master ask a third-party device on its line, and says what came of it",
    query: z.object({ deviceId: wire.int() }),
    result: z.object({
      state: z.int(),
      msg: z.string(),
      address: z.int(),
      baudRate: z.int(),
    }),
  }),
};
