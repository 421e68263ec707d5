import type { Registry } from "../../telemetry/index.ts";
import type { World } from "../../world.ts";
import type { FindSharedAttributes } from "./shared-attributes.ts";
import type { Downlink } from "./transport.ts";

/** Settings on their way to the devices. What can't be sent now the device gets when it comes. */
export interface SettingsDown {
  /** Tells a device its settings, on its own connection or through its master. */
  tell(deviceId: number): void;
  /** The same for the sub-devices of a master, which listens for theirs. */
  tellSubDevices(masterId: number): void;
}

interface Needs extends Pick<World, "log"> {
  registry: Registry;
  downlink: Downlink;
  sharedAttributes: FindSharedAttributes;
}

export const createSettingsDown = ({ log, registry, downlink, sharedAttributes }: Needs): SettingsDown => {
  /** Devices that were offered a firmware. */
  const offered = new Set<number>();
  const send = async (deviceId: number): Promise<void> => {
    const [device, shared] = await Promise.all([registry.find({ deviceId }), sharedAttributes(deviceId)]);
    if (!device || !shared) return;
    const isTaken = downlink.sendSettings(device, shared);
    if (shared.fw_version !== undefined) {
      if (isTaken) offered.add(deviceId);
    } else if (offered.delete(deviceId)) downlink.withdrawFirmware(device);
  };
  const tell = (deviceId: number): void => {
    send(deviceId).catch((fault: unknown) =>
      log.warn({ err: fault, deviceId }, "Could not send a device its settings; it gets them when it connects again"),
    );
  };
  return {
    tell,
    tellSubDevices: (masterId) => {
      // Those that have been heard; the others are told when they connect.
      for (const { parentDeviceId, deviceId } of registry.known()) if (parentDeviceId === masterId) tell(deviceId);
    },
  };
};
