import { deviceLimits, RefusalReason } from "@telltale/contract/device-api";
import type { OfflineWatch } from "../../jobs/offline-watch.ts";
import type { KnownDevice } from "../../telemetry/known-device.ts";
import type { Registry } from "../../telemetry/registry.ts";
import type { World } from "../../world.ts";
import type { DeviceMessage, TopicHandler, TopicNeeds } from "../device-message.ts";
import { type DecodedTelemetry, decodeTelemetry } from "../telemetry-payload.ts";
import {
  type Heard,
  hear,
  type MessageType,
  messageTypes,
  type NamedValue,
  type NodeSession,
  unborn,
  withoutBirth,
} from "./node-session.ts";
import { DataType, decodePayload, encodePayload } from "./payload.ts";

export interface SparkplugNeeds extends TopicNeeds, Pick<World, "clock"> {
  registry: Registry;
  offlineWatch: OfflineWatch;
}

interface Topic {
  group: string;
  type: MessageType;
  edge: string;
  /** "" for the edge node itself. */
  device: string;
}

const namespace = "spBv1.0/";

/** `spBv1.0/{group}/{type}/{edge}[/{device}]`; undefined for anything else in the namespace. */
const parseTopic = (topic: string): Topic | undefined => {
  const [, group, type, edge, device = "", ...rest] = topic.split("/");
  const known = messageTypes.find((name) => name === type);
  const isOfDevice = known?.startsWith("D") ?? false;
  if (!(group && known && edge) || rest.length > 0 || isOfDevice !== (device !== "")) return undefined;
  return { group, type: known, edge, device };
};

/** Metrics that are about the node and not measured by it. */
const isAboutTheNode = (name: string): boolean =>
  name === "bdSeq" || /^(Node|Device) (Control|Info)\/|^Properties\//.test(name);

/** A metric's channel: its name, or the last part of it, such as AI1 in `Inputs/AI1`. */
const channelCode = (device: KnownDevice, name: string): string =>
  device.channels.has(name) ? name : name.slice(name.lastIndexOf("/") + 1);

const fillFrom = (device: KnownDevice, values: readonly NamedValue[]) => (into: DecodedTelemetry, now: number) => {
  for (const { name, value, ts } of values) {
    if (isAboutTheNode(name)) continue;
    const reading = { [channelCode(device, name)]: value };
    decodeTelemetry(into, device, ts === undefined ? reading : { ts, values: reading }, now);
  }
};

/** A rebirth is asked for at most this often, milliseconds: a node that can't be reborn must not be flooded. */
const rebirthPause = 5_000;

interface Edge {
  name: string;
  session: NodeSession;
  askedAt: number;
}

const askForRebirth = (
  { connections, clock }: SparkplugNeeds,
  edge: Edge,
  master: KnownDevice,
  { group, edge: name }: Topic,
): void => {
  const now = clock.now();
  if (now - edge.askedAt < rebirthPause) return;
  edge.askedAt = now;
  const metrics = [{ name: "Node Control/Rebirth", datatype: DataType.boolean, booleanValue: true }];
  connections.send(master.deviceId, `${namespace}${group}/NCMD/${name}`, encodePayload({ timestamp: now, metrics }));
};

/** The devices that a death takes along: a node's takes its devices. */
const deadWith = ({ registry }: SparkplugNeeds, device: KnownDevice): KnownDevice[] => [
  device,
  ...[...registry.known()].filter(({ parentDeviceId }) => parentDeviceId === device.deviceId),
];

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
  if (died) {
    offlineWatch.linkLost(deadWith(needs, device));
    message.done("stored");
  } else
    intake.readings(message, device === message.device ? [device] : [message.device, device], fillFrom(device, values));
};

/** Sparkplug B: births, aliases, sequence gaps → rebirth request, deaths → offline. The edge node is who the token says; its devices go by their device IDs. */
export const sparkplugTopics = (needs: SparkplugNeeds): TopicHandler => {
  // One token is one edge node; under another name it starts anew, so that a device can't fill the memory with names.
  const edges = new Map<number, Edge>();
  const edgeOf = (deviceId: number, { group, edge }: Topic): Edge => {
    const name = `${group}/${edge}`;
    const known = edges.get(deviceId);
    if (known?.name === name) return known;
    const fresh = { name, session: unborn, askedAt: Number.NEGATIVE_INFINITY };
    edges.set(deviceId, fresh);
    return fresh;
  };
  return (message) => {
    if (!message.topic.startsWith(namespace)) return false;
    const topic = parseTopic(message.topic);
    if (!topic) return false;
    const payload = decodePayload(message.payload, deviceLimits.unpacked);
    if (typeof payload === "string") {
      const reason = payload === "too-large" ? RefusalReason.tooLarge : RefusalReason.badPayload;
      message.refuse(reason, message.topic.slice(0, 64));
      message.done("stored");
      return true;
    }
    const edge = edgeOf(message.device.deviceId, topic);
    const heard = hear(edge.session, topic.type, topic.device, payload);
    edge.session = heard.session;
    follow(needs, message, topic, edge, heard).catch(() => message.done("stopped"));
    return true;
  };
};
