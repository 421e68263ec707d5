import { firmwareOfferKeys, topics } from "@telltale/contract/device-api";
import type { Target, Transport } from "../core/transport.ts";
import type { Connections } from "../mqtt/connections.ts";

/** ThingsBoard's device API over MQTT: shared attributes and RPC on the device's own topics, or on its master's gateway topics. */
export const mqttTransport = (connections: Connections): Transport => {
  const deliver = ({ device, via }: Target, content: unknown): boolean =>
    via === undefined
      ? connections.send(device.deviceId, topics.attributes, content) > 0
      : connections.send(via, topics.gateway.attributes, { device: device.deviceSnId, data: content }) > 0;
  return {
    name: "thingsboard-mqtt",
    isConnected: connections.has,
    sendSettings: deliver,
    withdrawFirmware: (to) => deliver(to, { deleted: firmwareOfferKeys }),
    call: ({ device, via }, { id, method, params }) =>
      via === undefined
        ? connections.send(device.deviceId, `${topics.rpcRequest}${id}`, { method, params }) > 0
        : connections.send(via, topics.gateway.rpc, { device: device.deviceSnId, data: { id, method, params } }) > 0,
  };
};
