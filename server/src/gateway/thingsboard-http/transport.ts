import { firmwareOfferKeys } from "@telltale/contract/device-api";
import type { Transport } from "../core/transport.ts";
import type { PolledKind, Polls } from "./polls.ts";

/** The downlink of ThingsBoard's HTTP device API: content answers a pending long poll. A device without one counts as not connected. */
export const httpTransport = (polls: Polls): Transport => {
  const answer = (kind: PolledKind, deviceId: number, via: number | undefined, content: unknown): boolean =>
    via === undefined && polls.offer(deviceId, kind, content);
  return {
    name: "thingsboard-http",
    isConnected: (deviceId) => polls.isWaiting(deviceId, "rpc"),
    sendSettings: ({ device, via }, settings) => answer("attributes", device.deviceId, via, settings),
    withdrawFirmware: ({ device, via }) => answer("attributes", device.deviceId, via, { deleted: firmwareOfferKeys }),
    call: ({ device, via }, request) => answer("rpc", device.deviceId, via, request),
  };
};
