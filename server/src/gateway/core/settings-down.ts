import { firmwareOfferKeys, topics } from "@telltale/contract/device-api";
import type { KnownDevice, Registry } from "../../telemetry/index.ts";
import type { World } from "../../world.ts";
import type { Connections } from "../mqtt/connections.ts";
import type { Polls } from "../thingsboard-http/polls.ts";
import type { FindSharedAttributes } from "./shared-attributes.ts";

/** Settings on their way to the devices. What can't be sent now the device gets when it comes. */
export interface SettingsDown {
  /** Tells a device its settings, on its own connection or through its master. */
  tell(deviceId: number): void;
  /** A device listens for its own settings, or a master for those of its sub-devices. */
  onSubscribed(device: KnownDevice, filters: readonly string[]): void;
}

interface Needs extends Pick<World, "log"> {
  registry: Registry;
  connections: Connections;
  polls: Polls;
  sharedAttributes: FindSharedAttributes;
}

export const createSettingsDown = ({ log, registry, connections, polls, sharedAttributes }: Needs): SettingsDown => {
  /** Devices that were told of a firmware. */
  const offered = new Set<number>();
  const pass = async (deviceId: number, content: object): Promise<boolean> => {
    const isPolled = polls.offer(deviceId, "attributes", content);
    if (connections.send(deviceId, topics.attributes, content) > 0 || isPolled) return true;
    const device = await registry.find({ deviceId });
    if (device?.parentDeviceId == null) return false;
    const forSubDevice = { device: device.deviceSnId, data: content };
    return connections.send(device.parentDeviceId, topics.gateway.attributes, forSubDevice) > 0;
  };
  const send = async (deviceId: number): Promise<void> => {
    const shared = await sharedAttributes(deviceId);
    if (!shared) return;
    const isPassed = await pass(deviceId, shared);
    if (shared.fw_version !== undefined) {
      if (isPassed) offered.add(deviceId);
      // An offer that has ended is taken back in the device API's own way: whoever is under way with it keeps what it runs.
    } else if (offered.delete(deviceId)) await pass(deviceId, { deleted: firmwareOfferKeys });
  };
  const tell = (deviceId: number): void => {
    send(deviceId).catch((fault: unknown) => log.warn({ err: fault, deviceId }, "A device was not told its settings"));
  };
  return {
    tell,
    onSubscribed: ({ deviceId }, filters) => {
      if (filters.includes(topics.attributes)) tell(deviceId);
      if (!filters.includes(topics.gateway.attributes)) return;
      // Those that have been heard; the others are told when they connect.
      for (const { parentDeviceId, deviceId: subDevice } of registry.known())
        if (parentDeviceId === deviceId) tell(subDevice);
    },
  };
};
