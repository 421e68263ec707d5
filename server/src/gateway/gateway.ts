import type { Aedes, Client } from "aedes";
import { Gauge } from "prom-client";
import { type CallDevice, CallFailed } from "../platform/device-calls.ts";
import type { KnownDevice, Telemetry } from "../telemetry/index.ts";
import type { World } from "../world.ts";
import { attributesFinder } from "./core/attribute-requests.ts";
import { createAttributeStore } from "./core/attributes.ts";
import { createIntake } from "./core/intake.ts";
import { createArrivals } from "./core/message-identity.ts";
import { type Commands, createCommands } from "./core/pending-calls.ts";
import { createProvisioning } from "./core/provisioning.ts";
import { createSettingsDown } from "./core/settings-down.ts";
import { sharedAttributesFinder } from "./core/shared-attributes.ts";
import { createBroker, wantsCommands } from "./mqtt/broker.ts";
import { type Connections, createConnections } from "./mqtt/connections.ts";
import { type ListenConfig, type Listener, listenForMqtt } from "./mqtt/listen.ts";
import { setEndReason } from "./mqtt/mqtt5/connection.ts";
import { Reason } from "./mqtt/mqtt5/reasons.ts";
import { createEdges, sparkplugTopics } from "./sparkplug/topics.ts";
import { createPolls } from "./thingsboard-http/polls.ts";
import { type DeviceHttp, deviceHttp } from "./thingsboard-http/up.ts";
import { deviceTopics } from "./thingsboard-mqtt/device-topics.ts";

export interface Gateway {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** The port that MQTT listens on, after the start. */
  mqttPort(): number;
  isListening(): boolean;
  /** MQTT connections now. */
  connections(): number;
  commands: Commands;
  callDevice: CallDevice;
  /** The device API over HTTP, to be mounted on the web server. */
  http: DeviceHttp;
}

interface Needs extends Pick<World, "db" | "files" | "pool" | "bus" | "clock" | "log" | "metrics"> {
  telemetry: Telemetry;
}

const gauge = (metrics: World["metrics"], name: string, help: string, count: () => number): void => {
  new Gauge({
    name,
    help,
    registers: [metrics],
    collect() {
      this.set(count());
    },
  });
};

const endConnections = (connections: Connections, deviceId: number): void => {
  for (const client of [...connections.clientsOf(deviceId)]) {
    setEndReason(client.conn, Reason.administrativeAction);
    client.close();
  }
};

/** What every transport works with. */
const createParts = (needs: Needs) => {
  const { log, telemetry } = needs;
  const { registry, writer, refusals, offlineWatch } = telemetry;
  const connections = createConnections();
  const polls = createPolls();
  const attributes = createAttributeStore({ ...needs, writer });
  const sharedAttributes = sharedAttributesFinder(needs);
  const arrivals = createArrivals(needs);
  writer.onRest(arrivals.stop);
  return {
    arrivals,
    registry,
    writer,
    refusals,
    offlineWatch,
    connections,
    polls,
    attributes,
    intake: createIntake({ ...needs, registry, writer, attributes, arrivals }),
    findAttributes: attributesFinder(needs, sharedAttributes),
    commands: createCommands({ registry, connections, polls }),
    settingsDown: createSettingsDown({ log, registry, connections, polls, sharedAttributes }),
    provisioning: createProvisioning(),
  };
};

/** Whether a client has said that it goes: aedes notes that in a field which its types do not tell. */
const hasDisconnected = (client: Client): boolean => (client as Client & { _disconnected: boolean })._disconnected;

/** Devices' way in and out: MQTT (ThingsBoard device API, Sparkplug B) and HTTP. */
export const createGateway = (needs: Needs, config: ListenConfig): Gateway => {
  const { db, files, bus, clock, log } = needs;
  const parts = createParts(needs);
  const { registry, connections, commands, settingsDown, arrivals } = parts;
  gauge(needs.metrics, "telltale_mqtt_connections", "Devices connected by MQTT", connections.count);
  const topicNeeds = { db, files, log, clock, tellSettings: settingsDown.tell, ...parts };
  const edges = createEdges();
  gauge(needs.metrics, "telltale_sparkplug_metrics", "Metrics that connected edge nodes have declared", edges.declared);
  const handlers = [deviceTopics(topicNeeds), sparkplugTopics(topicNeeds, edges)];
  let broker: Aedes | undefined;
  let listeners: Listener[] = [];
  let unsubscribe = () => {};

  const onSubscribed = (device: KnownDevice, filters: readonly string[]): void => {
    settingsDown.onSubscribed(device, filters);
    if (wantsCommands(filters)) bus.emit("deviceReady", { deviceId: device.deviceId });
  };

  const onDisconnected = (client: Client): void => {
    const device = connections.deviceOf(client);
    if (!device || connections.has(device.deviceId)) return;
    edges.forget(device.deviceId);
    // What broke off is sent again; what was ended is not.
    if (hasDisconnected(client)) arrivals.leftInOrder(device.deviceId);
  };

  return {
    commands,
    callDevice: async (deviceId, method, params) => {
      const device = await registry.find({ deviceId });
      if (!device) throw new CallFailed("not-connected");
      return commands.call(device, method, params);
    },
    http: deviceHttp({ ...needs, ...parts }),
    mqttPort: () => {
      const address = listeners[0]?.server.address();
      return typeof address === "object" && address !== null ? address.port : config.mqttPort;
    },
    isListening: () => listeners.length > 0 && listeners.every(({ server }) => server.listening),
    connections: connections.count,
    start: async () => {
      await arrivals.start();
      broker = await createBroker({ ...parts, log, handlers, onSubscribed });
      broker.on("clientDisconnect", onDisconnected);
      listeners = await listenForMqtt(config, broker.handle);
      unsubscribe = bus.on("deviceChange", ({ deviceId, ended }) => {
        // What a device sends next it sends as what it is now: nobody's, or switched off. It may come back at once.
        if (ended) endConnections(connections, deviceId);
        else settingsDown.tell(deviceId);
      });
    },
    stop: async () => {
      unsubscribe();
      commands.stop();
      for (const client of connections.all()) setEndReason(client.conn, Reason.serverShuttingDown);
      await new Promise<void>((resolve) => (broker ? broker.close(() => resolve()) : resolve()));
      await Promise.all(listeners.map((each) => each.close()));
    },
  };
};
