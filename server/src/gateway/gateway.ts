import { Gauge } from "prom-client";
import { createRegistration } from "../modules/provisioning/index.ts";
import { type CallDevice, CallFailed } from "../platform/device-calls.ts";
import type { Handover } from "../platform/drain.ts";
import type { KnownDevice, Telemetry } from "../telemetry/index.ts";
import type { World } from "../world.ts";
import { createArrivals } from "./core/arrivals/arrivals.ts";
import { attributesFinder } from "./core/attribute-requests.ts";
import { createAttributeStore } from "./core/attributes.ts";
import { createIntake } from "./core/intake.ts";
import { type Commands, createCommands } from "./core/pending-calls.ts";
import { createProvisioningGuests } from "./core/provisioning.ts";
import { createRemoteCalls } from "./core/remote-calls.ts";
import { createSettingsPush } from "./core/settings.ts";
import { sharedAttributesFinder } from "./core/shared-attributes.ts";
import { createDownlink, type Transport } from "./core/transport.ts";
import { createConnections } from "./mqtt/connections.ts";
import type { TopicFamily } from "./mqtt/device-message.ts";
import { createMqttHost } from "./mqtt/host.ts";
import type { ListenConfig } from "./mqtt/listen.ts";
import { createEdges } from "./sparkplug/edges.ts";
import { sparkplugTopics } from "./sparkplug/topics.ts";
import { sparkplugTransport } from "./sparkplug/transport.ts";
import { createPolls } from "./thingsboard-http/polls.ts";
import { httpTransport } from "./thingsboard-http/transport.ts";
import { type DeviceHttp, deviceHttp } from "./thingsboard-http/up.ts";
import { deviceTopics } from "./thingsboard-mqtt/device-topics.ts";
import { mqttTransport } from "./thingsboard-mqtt/transport.ts";

export interface Gateway {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** The port that MQTT listens on; valid after the start. */
  mqttPort(): number;
  isListening(): boolean;
  /** Number of current MQTT connections. */
  connections(): number;
  /** The same, to be handed over to other nodes. */
  devices: Handover;
  commands: Commands;
  callDevice: CallDevice;
  /** The device API over HTTP, a plugin for the web server. */
  http: DeviceHttp;
}

interface Needs
  extends Pick<
    World,
    "db" | "closed" | "files" | "pool" | "bus" | "clock" | "log" | "metrics" | "node" | "notices" | "peers"
  > {
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

/** Creates the parts that all transports share. */
const createParts = (needs: Needs) => {
  const { log, pool, telemetry, clock } = needs;
  const { registry, writer, refusals, offlineWatch } = telemetry;
  const connections = createConnections();
  const polls = createPolls();
  const edges = createEdges();
  const downlink = createDownlink(() => transports);
  const commands = createCommands(downlink);
  const sparkplug = sparkplugTransport({ connections, edges, clock, answered: commands.answered });
  const transports: readonly Transport[] = [mqttTransport(connections), httpTransport(polls), sparkplug];
  const attributes = createAttributeStore({ ...needs, writer });
  const sharedAttributes = sharedAttributesFinder(needs);
  const arrivals = createArrivals(needs);
  writer.onCleanStop(arrivals.stop);
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
    commands,
    remoteCalls: createRemoteCalls({ ...needs, registry, downlink, commands }),
    downlink,
    edges,
    sparkplug,
    settingsPush: createSettingsPush({ log, pool, registry, downlink, sharedAttributes }),
    guests: createProvisioningGuests(),
    registration: createRegistration({ ...needs, refusals }),
  };
};

/** The topic families of the broker, one per protocol. */
const createFamilies = (
  { db, files, bus, clock, log }: Needs,
  parts: ReturnType<typeof createParts>,
): readonly TopicFamily[] => {
  const { notify: pushSettings, pushSubDeviceSettings } = parts.settingsPush;
  const topicNeeds = { db, files, log, clock, pushSettings, pushSubDeviceSettings, ...parts };
  const onReady = (deviceId: number): void => bus.emit("deviceReady", { deviceId });
  const onBorn = (deviceId: number): void => {
    pushSettings(deviceId);
    onReady(deviceId);
  };
  return [
    deviceTopics({ ...topicNeeds, onReady }),
    sparkplugTopics({ ...topicNeeds, transport: parts.sparkplug, onReady: onBorn }),
  ];
};

/** Creates the device gateway: MQTT (ThingsBoard device API, Sparkplug B) and HTTP. */
export const createGateway = (needs: Needs, config: ListenConfig): Gateway => {
  const { bus } = needs;
  const parts = createParts(needs);
  const { registry, connections, commands, remoteCalls, settingsPush, arrivals, edges } = parts;
  gauge(needs.metrics, "telltale_mqtt_connections", "Devices connected by MQTT", connections.count);
  gauge(needs.metrics, "telltale_sparkplug_metrics", "Metrics that connected edge nodes have declared", edges.declared);
  const families = createFamilies(needs, parts);
  const onGone = ({ deviceId }: KnownDevice, isClean: boolean): void => {
    for (const family of families) family.onGone?.(deviceId);
    // After a broken connection devices resend; after a clean DISCONNECT they do not.
    if (isClean) arrivals.disconnectedCleanly(deviceId);
  };
  const mqtt = createMqttHost({ ...parts, ...needs, families, onGone }, config);
  let unsubscribe = () => {};

  return {
    commands,
    callDevice: async (deviceId, method, params) => {
      const device = await registry.find({ deviceId });
      if (!device) throw new CallFailed("not-connected");
      try {
        return await commands.call(device, method, params);
      } catch (fault) {
        if (!(fault instanceof CallFailed) || fault.reason !== "not-connected") throw fault;
        return remoteCalls.call(device, method, params);
      }
    },
    http: deviceHttp({ ...needs, ...parts }),
    mqttPort: mqtt.port,
    isListening: mqtt.isListening,
    connections: connections.count,
    devices: mqtt.devices,
    start: async () => {
      await mqtt.start();
      unsubscribe = bus.on("deviceChange", ({ deviceId, ended }) => {
        if (ended) mqtt.end(deviceId);
        else settingsPush.notify(deviceId);
      });
    },
    stop: async () => {
      unsubscribe();
      remoteCalls.stop();
      commands.stop();
      await mqtt.stop();
    },
  };
};
