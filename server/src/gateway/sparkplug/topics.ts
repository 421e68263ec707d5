import { deviceLimits, RefusalReason } from "@telltale/contract/device-api";
import type { KnownDevice, OfflineWatch, Registry, Writer } from "../../telemetry/index.ts";
import type { World } from "../../world.ts";
import { type DecodedTelemetry, decodeTelemetry } from "../core/telemetry-payload.ts";
import type { DeviceMessage, TopicFamily, TopicNeeds } from "../mqtt/device-message.ts";
import type { Edge, Edges } from "./edges.ts";
import {
  declaredIn,
  type Heard,
  hear,
  type MessageType,
  messageTypes,
  type NamedValue,
  withoutBirth,
} from "./node-session.ts";
import { DataType, decodePayload, encodePayload } from "./payload.ts";
import { lastPart, namespace, type SparkplugTransport, settingsPrefix } from "./transport.ts";
import { inTurns } from "./turns.ts";

export interface SparkplugNeeds extends TopicNeeds, Pick<World, "clock"> {
  registry: Registry;
  writer: Writer;
  offlineWatch: OfflineWatch;
  edges: Edges;
  transport: SparkplugTransport;
  /** The device can be written to from now on. */
  onReady: (deviceId: number) => void;
}

interface Topic {
  group: string;
  type: MessageType;
  edge: string;
  /** "" for the edge node itself. */
  device: string;
}

/** `spBv1.0/{group}/{type}/{edge}[/{device}]`; undefined for anything else in the namespace. */
const parseTopic = (topic: string): Topic | undefined => {
  const [, group, type, edge, device = "", ...rest] = topic.split("/");
  const known = messageTypes.find((name) => name === type);
  const isOfDevice = known?.startsWith("D") ?? false;
  if (!(group && known && edge) || rest.length > 0 || isOfDevice !== (device !== "")) return undefined;
  return { group, type: known, edge, device };
};

/** Commands to the edge node or its devices. Which node that is, is known by the token, not by the topic. */
const commandsDown = /^spBv1\.0\/[^/#]+\/(NCMD|DCMD)\/[^/#]+(\/[^/#]+)?(\/#)?$|^spBv1\.0\/STATE\/[^/#]+$/;

/** Metrics that are about the node and not measured by it. */
const isAboutTheNode = (name: string): boolean =>
  name === "bdSeq" || /^(Node|Device) (Control|Info)\/|^(Properties|Settings)\//.test(name);

/** A metric's channel: its name, or the last part of it. */
const channelCode = (device: KnownDevice, name: string): string => (device.channels.has(name) ? name : lastPart(name));

const fillFrom = (device: KnownDevice, values: readonly NamedValue[]) => (into: DecodedTelemetry, now: number) => {
  for (const { name, value, ts } of values) {
    if (isAboutTheNode(name)) continue;
    const reading = { [channelCode(device, name)]: value };
    decodeTelemetry(into, device, ts === undefined ? reading : { ts, values: reading }, now);
  }
};

/** A rebirth is asked for at most this often, milliseconds: a node that can't be reborn must not be flooded. */
const rebirthPause = 5_000;

const askForRebirth = (
  { connections, clock }: SparkplugNeeds,
  edge: Edge,
  master: KnownDevice,
  { group, edge: name }: Topic,
): void => {
  const now = clock.now();
  if (edge.isOverfull || now - edge.askedAt < rebirthPause) return;
  edge.askedAt = now;
  const metrics = [{ name: "Node Control/Rebirth", datatype: DataType.boolean, booleanValue: true }];
  connections.send(master.deviceId, `${namespace}${group}/NCMD/${name}`, encodePayload({ timestamp: now, metrics }));
};

/** The devices that a death takes along: a node's takes its devices. */
const deadWith = ({ registry }: SparkplugNeeds, device: KnownDevice): KnownDevice[] => [
  device,
  ...[...registry.known()].filter(({ parentDeviceId }) => parentDeviceId === device.deviceId),
];

/** Takes down which settings a device says it works by. */
const confirmSettings = (
  { attributes, log }: SparkplugNeeds,
  { refuse }: DeviceMessage,
  device: KnownDevice,
  values: readonly NamedValue[],
): void => {
  const said = values.findLast(({ name }) => name === `${settingsPrefix}version`);
  if (said)
    attributes
      .store(device, { settingsVersion: said.value }, refuse)
      .catch((fault: unknown) => log.warn({ err: fault }, "Could not note which settings a Sparkplug device works by"));
};

const follow = async (
  needs: SparkplugNeeds,
  message: DeviceMessage,
  topic: Topic,
  edge: Edge,
  { values, died, needsRebirth }: Heard,
): Promise<void> => {
  const { intake, offlineWatch } = needs;
  const device =
    topic.device === "" ? message.device : (await intake.subDevices(message.device, [topic.device])).get(topic.device);
  if (!device) {
    // Births of whatever a node makes up would fill the memory; a device that is added later is asked for its own.
    edge.session = withoutBirth(edge.session, topic.device);
    message.refuse(RefusalReason.unknownDevice, topic.device.slice(0, 64));
    message.done("stored");
    return;
  }
  if (needsRebirth) askForRebirth(needs, edge, message.device, topic);
  needs.transport.reported(message.device.deviceId, topic.device, values);
  confirmSettings(needs, message, device, values);
  if (topic.type.endsWith("BIRTH")) needs.onReady(device.deviceId);
  if (died) {
    offlineWatch.linkLost(deadWith(needs, device));
    message.done("stored");
  } else
    intake.readings(
      message,
      device === message.device ? [device] : [message.device, device],
      fillFrom(device, values),
      values.length,
    );
};

const refusals = {
  bad: RefusalReason.badPayload,
  "too-large": RefusalReason.tooLarge,
  "too-many": RefusalReason.tooManyMetrics,
} as const;

/** Takes over what a message has made of its edge's session, unless its birth declares too much; that is refused, and its values are taken. */
const goOn = (edge: Edge, heard: Heard, topic: Topic, { refuse }: DeviceMessage): void => {
  if (topic.type === "NBIRTH") edge.isOverfull = false;
  const isTooMuch = declaredIn(heard.session) > deviceLimits.declared;
  if (isTooMuch) {
    edge.isOverfull = true;
    refuse(RefusalReason.tooManyMetrics, topic.device.slice(0, 64));
  }
  edge.session = isTooMuch ? withoutBirth(heard.session, topic.device) : heard.session;
};

/** Sparkplug B: births, aliases, sequence gaps → rebirth request, deaths → offline. The edge node is who the token says; its devices go by their device IDs. */
export const sparkplugTopics = (needs: SparkplugNeeds): TopicFamily => {
  const { edges } = needs;
  const take = async (message: DeviceMessage, topic: Topic): Promise<number> => {
    const payload = decodePayload(message.payload, { bytes: deviceLimits.unpacked, metrics: deviceLimits.metrics });
    if (typeof payload === "string") {
      message.refuse(refusals[payload], message.topic.slice(0, 64));
      message.done("stored");
      return deviceLimits.metrics;
    }
    const { deviceId } = message.device;
    const edge = edges.of(deviceId, `${topic.group}/${topic.edge}`);
    const heard = hear(edge.session, topic.type, topic.device, payload);
    goOn(edge, heard, topic, message);
    await follow(needs, message, topic, edge, heard).catch(() => message.done("stopped"));
    // A will comes after the end of its connection.
    if (!needs.connections.has(deviceId)) edges.forget(deviceId);
    return payload.metrics.length;
  };
  const inTurn = inTurns(needs, take);
  return {
    handle: (message) => {
      const topic = message.topic.startsWith(namespace) ? parseTopic(message.topic) : undefined;
      if (topic) inTurn(message, topic);
      return topic !== undefined;
    },
    maySubscribe: (filter) => commandsDown.test(filter),
    onGone: edges.forget,
  };
};
