import type { Aedes, Client } from "aedes";
import type { KnownDevice } from "../../telemetry/index.ts";
import { type BrokerNeeds, createBroker } from "./broker.ts";
import { type ListenConfig, type Listener, listenForMqtt } from "./listen.ts";
import { setEndReason } from "./mqtt5/connection.ts";
import { Reason } from "./mqtt5/reasons.ts";

export interface MqttHost {
  start(): Promise<void>;
  /** Ends all connections, then the listeners. */
  stop(): Promise<void>;
  isListening(): boolean;
  /** After the start. */
  port(): number;
  /** Ends the device's connections: it is no longer what its token stands for. It may come back at once. */
  end(deviceId: number): void;
}

interface Needs extends BrokerNeeds {
  /** The device's last connection has ended; `inOrder`: by a DISCONNECT, so that nothing it sent will be sent again. */
  onGone: (device: KnownDevice, inOrder: boolean) => void;
}

/** Whether a client has sent DISCONNECT: aedes keeps that in a field which its types do not tell. */
const hasDisconnected = (client: Client): boolean => (client as Client & { _disconnected: boolean })._disconnected;

/** MQTT for devices: one broker and its listeners, which carry the topic families of several protocols. */
export const createMqttHost = (needs: Needs, config: ListenConfig): MqttHost => {
  const { connections, onGone } = needs;
  let broker: Aedes | undefined;
  let listeners: Listener[] = [];
  const onDisconnected = (client: Client): void => {
    const device = connections.deviceOf(client);
    if (device && !connections.has(device.deviceId)) onGone(device, hasDisconnected(client));
  };
  return {
    start: async () => {
      broker = await createBroker(needs);
      broker.on("clientDisconnect", onDisconnected);
      listeners = await listenForMqtt(config, broker.handle);
    },
    stop: async () => {
      for (const client of connections.all()) setEndReason(client.conn, Reason.serverShuttingDown);
      await new Promise<void>((resolve) => (broker ? broker.close(() => resolve()) : resolve()));
      await Promise.all(listeners.map((each) => each.close()));
    },
    isListening: () => listeners.length > 0 && listeners.every(({ server }) => server.listening),
    port: () => {
      const address = listeners[0]?.server.address();
      return typeof address === "object" && address !== null ? address.port : config.mqttPort;
    },
    end: (deviceId) => {
      for (const client of [...connections.clientsOf(deviceId)]) {
        setEndReason(client.conn, Reason.administrativeAction);
        client.close();
      }
    },
  };
};
