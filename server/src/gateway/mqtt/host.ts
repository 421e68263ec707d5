import type { Aedes, Client } from "aedes";
import type { Handover } from "../../platform/drain.ts";
import type { KnownDevice } from "../../telemetry/index.ts";
import { type BrokerNeeds, createBroker } from "./broker.ts";
import { type ListenConfig, type Listener, listenForMqtt } from "./listen.ts";
import { setEndReason } from "./mqtt5/connection.ts";
import { Reason } from "./mqtt5/reasons.ts";

export interface MqttHost {
  start(): Promise<void>;
  /** Closes all connections, then the listeners. */
  stop(): Promise<void>;
  isListening(): boolean;
  /** Valid after the start. */
  port(): number;
  /** The connections of devices. */
  devices: Handover;
  /** Closes the device's connections because its identity has changed. It may reconnect at once. */
  end(deviceId: number): void;
}

interface Needs extends BrokerNeeds {
  /** The device's last connection has ended; `isClean`: by a DISCONNECT, so that it will resend nothing. */
  onGone: (device: KnownDevice, isClean: boolean) => void;
}

/** Whether a client has sent DISCONNECT; aedes keeps that in an untyped field. */
const hasDisconnected = (client: Client): boolean => (client as Client & { _disconnected: boolean })._disconnected;

/** Creates one broker and its listeners, which serve the topic families of several protocols. */
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
      listeners = await listenForMqtt(config, broker.handle, needs.log);
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
    devices: {
      count: connections.count,
      close: (most) => {
        for (const client of [...connections.all()].filter(({ closed }) => !closed).slice(0, most)) {
          setEndReason(client.conn, Reason.serverShuttingDown);
          connections.handOver(client);
        }
      },
    },
    end: (deviceId) => {
      for (const client of [...connections.clientsOf(deviceId)]) {
        setEndReason(client.conn, Reason.administrativeAction);
        client.close();
      }
    },
  };
};
