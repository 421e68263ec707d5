import type { Registry } from "../../telemetry/index.ts";
import type { World } from "../../world.ts";
import type { FindSharedAttributes } from "./shared-attributes.ts";
import type { Downlink } from "./transport.ts";

/** Pushes settings to devices. A device that cannot be reached now gets them when it connects. */
export interface SettingsPush {
  /** Sends a device its settings, on its own connection or through its master. */
  notify(deviceId: number): void;
  /** Sends the settings of a master's sub-devices, through the master. */
  pushSubDeviceSettings(masterId: number): void;
}

interface Needs extends Pick<World, "log"> {
  registry: Registry;
  downlink: Downlink;
  sharedAttributes: FindSharedAttributes;
}

export const createSettingsPush = ({ log, registry, downlink, sharedAttributes }: Needs): SettingsPush => {
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
  return {
    notify,
    pushSubDeviceSettings: (masterId) => {
      // Only devices in memory; the others get their settings when they connect.
      for (const { parentDeviceId, deviceId } of registry.known()) if (parentDeviceId === masterId) notify(deviceId);
    },
  };
};
