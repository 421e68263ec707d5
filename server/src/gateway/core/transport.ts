import type { RpcMethod, SharedAttributes } from "@telltale/contract/device-api";
import type { KnownDevice } from "../../telemetry/index.ts";

/** Whom something is for: the device on its own link, or on the link of the device `via`, its master. */
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

/** A protocol's way down to devices. Each sending returns whether the target took it: false when it is not on a link of this protocol, or does not listen. */
export interface Transport {
  name: string;
  /** Has a link by this protocol now, listening or not. */
  isConnected(deviceId: number): boolean;
  /** Settings in force, and the firmware that the device is to install if there is one: one document, since a device that waits by HTTP takes one answer. */
  sendSettings(to: Target, settings: SharedAttributes): boolean;
  /** Takes a firmware offer back: a device that is downloading it keeps what it runs. */
  withdrawFirmware(to: Target): boolean;
  call(to: Target, request: CallRequest): boolean;
}

/** All transports together: tries the device's own links, then its master's. */
export interface Downlink {
  isConnected(device: KnownDevice): boolean;
  sendSettings(device: KnownDevice, settings: SharedAttributes): boolean;
  withdrawFirmware(device: KnownDevice): boolean;
  /** The device that the answer comes from: itself or its master. Undefined when nobody took the call. */
  call(device: KnownDevice, request: CallRequest): number | undefined;
}

/** `transports` is read at each sending: they are made of what the downlink is part of. */
export const createDownlink = (transports: () => readonly Transport[]): Downlink => {
  const targets = (device: KnownDevice): Target[] => [
    { device, via: undefined },
    ...(device.parentDeviceId === null ? [] : [{ device, via: device.parentDeviceId }]),
  ];
  /** By every transport of the first link that takes it: a device may wait by HTTP beside its MQTT connection. */
  const tell = (device: KnownDevice, send: (transport: Transport, to: Target) => boolean): boolean =>
    targets(device).some((to) => transports().filter((transport) => send(transport, to)).length > 0);
  return {
    isConnected: (device) =>
      targets(device).some((to) => transports().some(({ isConnected }) => isConnected(to.via ?? to.device.deviceId))),
    sendSettings: (device, settings) => tell(device, (transport, to) => transport.sendSettings(to, settings)),
    withdrawFirmware: (device) => tell(device, (transport, to) => transport.withdrawFirmware(to)),
    call: (device, request) => {
      const taken = targets(device).find((to) => transports().some((transport) => transport.call(to, request)));
      return taken && (taken.via ?? device.deviceId);
    },
  };
};
