import type { RpcMethod, SharedAttributes } from "@telltale/contract/device-api";
import type { KnownDevice } from "../../telemetry/index.ts";

/** The recipient: the device on its own link, or on the link of its master `via`. */
export interface Target {
  device: KnownDevice;
  via: number | undefined;
}

/** A call of a method on a device; its answer carries the id. */
export interface CallRequest {
  id: number;
  method: RpcMethod;
  params: Record<string, unknown>;
}

/** A protocol's downlink. Each send returns whether the target took it: false when it has no link by this protocol or does not listen. */
export interface Transport {
  name: string;
  /** Whether the device has a link by this protocol now, listening or not. */
  isConnected(deviceId: number): boolean;
  /** Sends the current settings and the firmware offer, if any, as one document, since an HTTP long poll takes one answer. */
  sendSettings(to: Target, settings: SharedAttributes): boolean;
  /** Withdraws a firmware offer; a device that is downloading it keeps its current version. */
  withdrawFirmware(to: Target): boolean;
  call(to: Target, request: CallRequest): boolean;
}

/** All transports combined: tries the device's own links, then its master's. */
export interface Downlink {
  isConnected(device: KnownDevice): boolean;
  sendSettings(device: KnownDevice, settings: SharedAttributes): boolean;
  withdrawFirmware(device: KnownDevice): boolean;
  /** Returns the device that will answer: itself or its master. Undefined when no link took the call. */
  call(device: KnownDevice, request: CallRequest): number | undefined;
}

/** Combines the transports. `transports` is a function because some of them are created with parts that need the downlink. */
export const createDownlink = (transports: () => readonly Transport[]): Downlink => {
  const targets = (device: KnownDevice): Target[] => [
    { device, via: undefined },
    ...(device.parentDeviceId === null ? [] : [{ device, via: device.parentDeviceId }]),
  ];
  /** Sends by every transport of the first link that takes it: a device may long-poll by HTTP beside its MQTT connection. */
  const deliver = (device: KnownDevice, send: (transport: Transport, to: Target) => boolean): boolean =>
    targets(device).some((to) => transports().filter((transport) => send(transport, to)).length > 0);
  return {
    isConnected: (device) =>
      targets(device).some((to) => transports().some(({ isConnected }) => isConnected(to.via ?? to.device.deviceId))),
    sendSettings: (device, settings) => deliver(device, (transport, to) => transport.sendSettings(to, settings)),
    withdrawFirmware: (device) => deliver(device, (transport, to) => transport.withdrawFirmware(to)),
    call: (device, request) => {
      const taken = targets(device).find((to) => transports().some((transport) => transport.call(to, request)));
      return taken && (taken.via ?? device.deviceId);
    },
  };
};
