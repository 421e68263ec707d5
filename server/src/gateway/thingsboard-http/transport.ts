import { firmwareOfferKeys } from "@telltale/contract/device-api";
import type { Transport } from "../core/transport.ts";
import type { PolledKind, Polls } from "./polls.ts";

/** ThingsBoard's device API over HTTP: what goes down answers a request that waits for it. A device without one has no link. */
export const httpTransport = (polls: Polls): Transport => {
  const answer = (kind: PolledKind, deviceId: number, via: number | undefined, content: unknown): boolean =>
    via === undefined && polls.offer(deviceId, kind, content);
  return {
    name: "thingsboard-http",
    isConnected: () => false,
    sendSettings: ({ device, via }, settings) => answer("attributes", device.deviceId, via, settings),
    withdrawFirmware: ({ device, via }) => answer("attributes", device.deviceId, via, { deleted: firmwareOfferKeys }),
    call: ({ device, via }, request) => answer("rpc", device.deviceId, via, request),
  };
};
