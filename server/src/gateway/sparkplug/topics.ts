import { deviceLimits, RefusalReason } from "@telltale/contract/device-api";
import { DataType, decodePayload, encodePayload } from "../../sparkplug/payload.ts";
import type { KnownDevice, OfflineWatch, Registry, Writer } from "../../telemetry/index.ts";
import type { World } from "../../world.ts";
import { type DecodedTelemetry, decodeTelemetry } from "../core/telemetry-payload.ts";
import type { DeviceMessage, TopicFamily, TopicNeeds } from "../mqtt/device-message.ts";
import type { Edge, Edges } from "./edges.ts";
import { fairQueue } from "./fair-queue.ts";
import {
  type AppliedMessage,
  applyMessage,
  declaredCount,
  declaredText,
  type MessageType,
  messageTypes,
  type NamedValue,
  type UnreadMetric,
  withoutBirth,
} from "./node-session.ts";
import { commandQos, lastPart, namespace, type SparkplugTransport, settingsPrefix } from "./transport.ts";

export interface SparkplugNeeds extends TopicNeeds, Pick<World, "clock"> {
  registry: Registry;
  writer: Writer;
  offlineWatch: OfflineWatch;
  edges: Edges;
  transport: SparkplugTransport;
  /** Called when the device accepts writes. */
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

/** Filters for commands to the edge node or its devices. The token identifies the node, not the topic. */
const commandsDown = /^spBv1\.0\/[^/#]+\/(NCMD|DCMD)\/[^/#]+(\/[^/#]+)?(\/#)?$|^spBv1\.0\/STATE\/[^/#]+$/;

/** Whether a metric describes the node and is not a measurement. */
const isAboutTheNode = (name: string): boolean =>
  name === "bdSeq" || /^(Node|Device) (Control|Info)\/|^(Properties|Settings)\//.test(name);

/** The channel code of a metric: its name, or the last part of it. */
const channelCode = (device: KnownDevice, name: string): string => (device.channels.has(name) ? name : lastPart(name));

/** Refuses a metric that cannot be read: of an alias that no birth has declared, or of a type that is no number, such as a data set or a template. */
const refuseUnread = (into: DecodedTelemetry, device: KnownDevice, { name, alias }: UnreadMetric): void => {
  if (name === undefined)
    into.refused.push({ device, reason: RefusalReason.unknownKey, key: `alias ${alias ?? "none"}`, value: "" });
  else if (!isAboutTheNode(name))
    into.refused.push({ device, reason: RefusalReason.notANumber, key: name.slice(0, 64), value: "" });
};

const fillFrom =
  (device: KnownDevice, { values, unread }: Pick<AppliedMessage, "values" | "unread">) =>
  (into: DecodedTelemetry, now: number): void => {
    for (const { name, value, ts } of values) {
      if (isAboutTheNode(name)) continue;
      const reading = { [channelCode(device, name)]: value };
      decodeTelemetry(into, device, ts === undefined ? reading : { ts, values: reading }, now);
    }
    for (const metric of unread) refuseUnread(into, device, metric);
  };

/** Least time between two rebirth requests, milliseconds: a node that cannot comply must not be flooded. */
const rebirthPause = 5_000;

const requestRebirth = (
  { connections, clock }: SparkplugNeeds,
  edge: Edge,
  master: KnownDevice,
  { group, edge: name }: Topic,
): void => {
  const now = clock.now();
  if (edge.exceedsLimit || now - edge.rebirthRequestedAt < rebirthPause) return;
  edge.rebirthRequestedAt = now;
  const metrics = [{ name: "Node Control/Rebirth", datatype: DataType.boolean, booleanValue: true }];
  const topic = `${namespace}${group}/NCMD/${name}`;
  connections.send(master.deviceId, topic, encodePayload({ timestamp: now, metrics }), commandQos);
};

/** The devices affected by a death: a node's includes its devices. */
const deadWith = ({ registry }: SparkplugNeeds, device: KnownDevice): KnownDevice[] => [
  device,
  ...registry.subDevices(device.deviceId),
];

/** Records the settings version that a device reports; 0 declares the metric in the birth of one that has applied none. */
const confirmSettings = (
  { attributes, log }: SparkplugNeeds,
  message: DeviceMessage,
  device: KnownDevice,
  values: readonly NamedValue[],
): void => {
  const report = values.findLast(({ name }) => name === `${settingsPrefix}version`);
  if (report && report.value !== 0)
    attributes
      .store(device, { settingsVersion: report.value }, message)
      .catch((fault: unknown) =>
        log.warn(
          { err: fault },
          "Could not record the settings version that a Sparkplug device reported; its settings stay shown as pending",
        ),
      );
};

/** Acts on a decoded message; returns the number of devices that have died with it. */
const follow = async (
  needs: SparkplugNeeds,
  message: DeviceMessage,
  topic: Topic,
  edge: Edge,
  heard: AppliedMessage,
): Promise<number> => {
  const { values, died, needsRebirth } = heard;
  const { intake, offlineWatch } = needs;
  const device =
    topic.device === "" ? message.device : (await intake.subDevices(message.device, [topic.device])).get(topic.device);
  if (!device) {
    // Births of unknown devices are dropped, or a node could fill the memory with invented ones; a device that is added later is asked for its birth.
    edge.session = withoutBirth(edge.session, topic.device);
    message.refuse(RefusalReason.unknownDevice, topic.device.slice(0, 64));
    message.done("stored");
    return 0;
  }
  if (needsRebirth) requestRebirth(needs, edge, message.device, topic);
  // What a node had stored for later says nothing about what it is and does now.
  const present = values.filter(({ isHistorical }) => !isHistorical);
  needs.transport.reported(message.device.deviceId, topic.device, present);
  confirmSettings(needs, message, device, present);
  if (topic.type.endsWith("BIRTH")) needs.onReady(device.deviceId);
  if (died) {
    const dead = deadWith(needs, device);
    offlineWatch.linkLost(dead);
    message.done("stored");
    return dead.length;
  }
  intake.readings(
    message,
    device === message.device ? [device] : [message.device, device],
    fillFrom(device, heard),
    values.length,
  );
  return 0;
};

const refusals = {
  bad: RefusalReason.badPayload,
  "too-large": RefusalReason.tooLarge,
  "too-many": RefusalReason.tooManyMetrics,
} as const;

/** Stores the new session of an edge node. A birth that exceeds the limit is refused and dropped; its values are still taken. */
const storeSession = (edge: Edge, heard: AppliedMessage, topic: Topic, message: DeviceMessage): void => {
  if (topic.type === "NBIRTH") edge.exceedsLimit = false;
  // Counted at births only: other messages declare nothing, and a node may have thousands of devices.
  const isTooMuch =
    topic.type.endsWith("BIRTH") &&
    (declaredCount(heard.session) > deviceLimits.declared || declaredText(heard.session) > deviceLimits.declaredText);
  if (isTooMuch) {
    edge.exceedsLimit = true;
    message.refuse(RefusalReason.tooManyMetrics, topic.device.slice(0, 64));
  }
  edge.session = isTooMuch ? withoutBirth(heard.session, topic.device) : heard.session;
};

/**
 * The Sparkplug B topic family: births, aliases, sequence gaps → rebirth request, deaths → offline. The token identifies the edge node; its devices
 * are identified by their device IDs.
 */
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
    const heard = applyMessage(edge.session, topic.type, topic.device, payload);
    storeSession(edge, heard, topic, message);
    const dead = await follow(needs, message, topic, edge, heard).catch(() => {
      message.done("stopped");
      return 0;
    });
    // A will is published after the end of its connection.
    if (!needs.connections.has(deviceId)) edges.forget(deviceId);
    return Math.max(1, payload.metrics.length + dead);
  };
  const inTurn = fairQueue(needs, take);
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
