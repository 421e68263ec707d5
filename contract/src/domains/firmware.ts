import { z } from "zod";
import { get, post } from "../call/call.ts";
import { page, pageQuery } from "../call/paging.ts";
import * as wire from "../call/wire.ts";
import { DeviceStatus } from "./devices.ts";

/** Which part of a device an image is for: its radio module, which forms the mesh, or its controller. (spec 2 §2) */
export const VersionType = { mesh: 1, mcu: 2 } as const;
export type VersionType = (typeof VersionType)[keyof typeof VersionType];
/** MESH is 1, anything else is MCU. */
export const versionTypeLabel = (versionType: number): string => (versionType === VersionType.mesh ? "MESH" : "MCU");

/** Whether a newer version than the installed one exists. */
export const VersionStatus = { new: "NEW", none: "NONE" } as const;
export type VersionStatus = (typeof VersionStatus)[keyof typeof VersionStatus];

/** Whether an update is in progress. (spec 2 §4) */
export const UpdateStatus = { idle: 0, updating: 2 } as const;
export type UpdateStatus = (typeof UpdateStatus)[keyof typeof UpdateStatus];

/** Progress of an update; the device's own states are `FirmwareState` of the device API. */
export const UpdateStep = { offered: 1, downloading: 2, downloaded: 3, verified: 4, restarting: 5 } as const;
export type UpdateStep = (typeof UpdateStep)[keyof typeof UpdateStep];

/** Polling interval of the console during an update, milliseconds. (spec 2 §9) */
export const firmwarePolling = 5000;

/** Shown while `updateStatus` is 2. (spec 2 §2) */
export const updatingNote =
  "During the firmware download, the power and network lights will flash. The device will restart automatically after updating. Please refresh the interface";

/** An update in progress. `chunks` is 0 until the device has requested the first chunk, because the device chooses their size. */
export const UpdateProgress = z.object({ step: z.int(), versionNo: z.string(), chunk: z.int(), chunks: z.int() });
export type UpdateProgress = z.output<typeof UpdateProgress>;

/** A device with its firmware. */
export const FirmwareRow = z.object({
  deviceId: z.int(),
  /** Device ID. */
  deviceSnId: z.string(),
  deviceName: z.string(),
  /** P/N. */
  deviceSn: z.string(),
  /** The version that the device reports; null when never reported. */
  versionNo: z.string().nullable(),
  /** The newest version for its P/N; null when there is none. */
  latestVersion: z.string().nullable(),
  /** The previously installed version, while it is still available. */
  rollbackVersion: z.string().nullable(),
  versionStatus: z.enum(VersionStatus),
  versionType: z.int(),
  updateStatus: z.int(),
  /** When the last update finished. */
  updateTime: wire.time().nullable(),
  /** The device's status, as in every list. */
  status: z.int(),
  progress: UpdateProgress.nullable(),
  /** Why the last update failed; empty when it succeeded. */
  failure: z.string(),
});
export type FirmwareRow = z.output<typeof FirmwareRow>;

/** The plant's firmware. (spec 2 §2, §7) */
export const firmware = {
  list: get("/api/version/list", {
    access: "firmware.read",
    summary: "The plant's devices with their firmware, by installation; `deviceSn` searches device IDs",
    query: z.object({
      ...pageQuery,
      status: wire.list(wire.anyOf(DeviceStatus)).optional(),
      deviceName: wire.text().optional(),
      /** Part of a device ID, despite the field's name. */
      deviceSn: wire.text().optional(),
      /** Range of the time at which the last update finished. */
      statTime: wire.rangeStart().optional(),
      endTime: wire.rangeEnd().optional(),
    }),
    result: page(FirmwareRow),
  }),
  detail: get("/api/version/detail", {
    access: "firmware.read",
    summary: "One device with its firmware and the progress of its update",
    query: z.object({ deviceId: wire.int() }),
    result: FirmwareRow,
  }),
  update: post("/api/version/update", {
    access: "firmware.write",
    summary: "Offers a version to a device that is online: a newer one, or the previous one",
    body: z.object({
      deviceSnId: z.string().trim().min(1, { error: "Device ID cannot be blank" }).max(64),
      versionNo: z.string().trim().min(1, { error: "Choose a version" }).max(64),
      versionType: wire.int("Choose a version type"),
    }),
    result: z.null(),
  }),
};
