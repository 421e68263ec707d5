import { LiveCommand } from "@telltale/contract/live";
import { batched } from "../../platform/database/batched.ts";
import type { KnownDevice, Registry } from "../../telemetry/index.ts";
import type { World } from "../../world.ts";
import type { FindSharedAttributes } from "./shared-attributes.ts";
import type { Downlink } from "./transport.ts";

/** Pushes settings to devices. A device that cannot be reached now gets them when it connects. */
export interface SettingsPush {
  /** Sends a device its settings, on its own connection or through its master. */
  notify(deviceId: number): void;
  /** Sends the settings of a master's sub-devices, through the master: of those that this server has heard, and those that wait for theirs. */
  pushSubDeviceSettings(masterId: number): void;
}

/** Whether something waits: settings that were not confirmed, or an update. They may have been saved before this server started. */
const subDevices = `
  SELECT d.device_id, coalesce(s.version > coalesce(s.confirmed_version, 1), false)
         OR EXISTS (SELECT FROM firmware_updates u WHERE u.device_id = d.device_id AND u.ended_time IS NULL) AS is_waiting
    FROM devices d LEFT JOIN device_settings s USING (device_id) WHERE d.parent_device_id = $1 AND NOT d.is_disabled`;

interface SubDevice {
  device_id: number;
  is_waiting: boolean;
}

interface Needs extends Pick<World, "log" | "pool"> {
  registry: Registry;
  downlink: Downlink;
  sharedAttributes: FindSharedAttributes;
}

export const createSettingsPush = ({ log, pool, registry, downlink, sharedAttributes }: Needs): SettingsPush => {
  /** Devices with a firmware offer outstanding. */
  const offered = new Set<number>();
  const send = async (deviceId: number): Promise<void> => {
    const [device, shared] = await Promise.all([registry.find({ deviceId }), sharedAttributes(deviceId)]);
    if (!device || !shared) return;
    const isTaken = downlink.sendSettings(device, shared);
    if (shared.fw_version !== undefined) {
      if (isTaken) offered.add(deviceId);
    } else if (offered.delete(deviceId)) downlink.withdrawFirmware(device);
  };
  const notify = (deviceId: number): void => {
    send(deviceId).catch((fault: unknown) =>
      log.warn({ err: fault, deviceId }, "Could not send a device its settings; it gets them when it connects again"),
    );
  };
  const notifySubDevices = async (masterId: number): Promise<void> => {
    const { rows } = await pool.query<SubDevice>(subDevices, [masterId]);
    for (const { device_id: deviceId, is_waiting } of rows)
      if (is_waiting || registry.inMemory({ deviceId })) notify(deviceId);
  };
  return {
    notify,
    pushSubDeviceSettings: (masterId) => {
      notifySubDevices(masterId).catch((err: unknown) =>
        log.warn(
          { err, deviceId: masterId },
          "Could not send sub-devices their settings; they get them when they connect",
        ),
      );
    },
  };
};

/** The latest report wins: a unit that was reset or replaced runs older settings again. A version that was never saved is ignored. */
const confirm = `
  WITH reported AS (
    SELECT reported.device_id, reported.version, coalesce(known.version, 1) AS newest
      FROM unnest($1::int4[], $2::int4[]) AS reported(device_id, version) LEFT JOIN device_settings known USING (device_id)
  ), kept AS (
    INSERT INTO device_settings (device_id, confirmed_version, confirmed_time)
    SELECT device_id, version, $3 FROM reported WHERE version <= newest ORDER BY device_id
    ON CONFLICT (device_id) DO UPDATE SET confirmed_version = excluded.confirmed_version, confirmed_time = excluded.confirmed_time
     WHERE device_settings.confirmed_version IS DISTINCT FROM excluded.confirmed_version
    RETURNING device_id, saved_time IS NOT NULL AS was_saved
  )
  SELECT reported.device_id, reported.newest, coalesce(kept.was_saved, false) AS was_saved FROM reported LEFT JOIN kept USING (device_id)`;

interface Kept {
  device_id: number;
  /** The latest saved version. */
  newest: number;
  was_saved: boolean;
}

interface Reported {
  device: KnownDevice;
  version: number;
}

/** The settings version that a device reports; undefined when the payload has no valid one. */
export const reportedVersion = ({ settingsVersion }: Record<string, unknown>): number | undefined =>
  typeof settingsVersion === "number" &&
  Number.isInteger(settingsVersion) &&
  settingsVersion > 0 &&
  settingsVersion < 2 ** 31
    ? settingsVersion
    : undefined;

/**
 * Returns a function that records which settings version a device runs, and notifies consoles when a pending change is confirmed. Resolves after the
 * commit with whether the version exists.
 */
export const settingsConfirmer = ({ pool, bus, clock }: Pick<World, "pool" | "bus" | "clock">) => {
  const save = batched(async (reported: readonly Reported[]) => {
    const last = new Map(reported.map((each) => [each.device.deviceId, each]));
    const rows = [...last.values()];
    const result = await pool.query<Kept>(confirm, [
      rows.map(({ device }) => device.deviceId),
      rows.map(({ version }) => version),
      clock.date(),
    ]);
    for (const { device_id: deviceId, was_saved } of result.rows) {
      const plantId = last.get(deviceId)?.device.plantId;
      // Without a saved change there is nothing to show; otherwise the first connection of a fleet would notify the consoles for every device.
      if (was_saved && plantId) bus.emit("live", { plantId, message: { cmd: LiveCommand.dashboardChange, deviceId } });
    }
    const newest = new Map(result.rows.map((row) => [row.device_id, row.newest]));
    return reported.map(({ device, version }) => version <= (newest.get(device.deviceId) ?? 1));
  });
  return (device: KnownDevice, version: number): Promise<boolean> => save({ device, version });
};
