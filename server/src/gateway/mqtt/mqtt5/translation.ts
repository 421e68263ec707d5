import { randomUUID } from "node:crypto";
import { deviceLimits, refusalsCounted } from "@telltale/contract/device-api";
import type {
  IConnackPacket,
  IConnectPacket,
  IPubackPacket,
  IPublishPacket,
  IPubrecPacket,
  ISubackPacket,
  Packet,
} from "mqtt-packet";
import { bufferLimit } from "../unauthenticated.ts";
import { type Acknowledgement, ConnectionEnded, Reason } from "./reasons.ts";

/** MQTT 3.1.1 CONNACK return codes as MQTT 5 reason codes. [MQTT5 3.2.2.2] */
const connackReasons: Record<number, number> = { 0: 0x00, 1: 0x84, 2: 0x85, 3: 0x88, 4: 0x86, 5: 0x87 };

/** SUBACK code of a refused subscription in MQTT 3.1.1. [MQTT-3.9.3-2] */
const refusedSubscription = 0x80;

/** Translates the packets of one connection between a client that speaks MQTT 5 and a broker that speaks 3.1.1. */
export interface Translation {
  /** Translates a packet from the client; null when the connection must be cut as if it were lost. Throws `ConnectionEnded`. */
  toBroker(packet: Packet): Packet | null;
  /** Translates a packet for the client; null for an answer that only the broker requested. */
  toClient(packet: Packet): Packet | null;
  /** Sets reason code and properties of the acknowledgement that the broker sends next. */
  explain(messageId: number, acknowledgement: Acknowledgement): void;
}

/** Drops the password: it is not used, and 3.1.1 accepts it only with a user name. */
const connect = (packet: IConnectPacket, clientId: string): Packet => {
  const will = packet.will && {
    topic: packet.will.topic,
    payload: packet.will.payload,
    qos: packet.will.qos,
    retain: false,
  };
  return {
    cmd: "connect",
    protocolId: "MQTT",
    protocolVersion: 4,
    clean: true,
    clientId,
    keepalive: packet.keepalive ?? 0,
    ...(packet.username === undefined ? {} : { username: packet.username }),
    ...(will ? { will } : {}),
  };
};

/** Limits announced in the CONNACK. Sessions end with their connection, and nothing is retained. */
const abilities = {
  sessionExpiryInterval: 0,
  retainAvailable: false,
  receiveMaximum: deviceLimits.inFlight,
  maximumPacketSize: bufferLimit,
  topicAliasMaximum: 0,
  subscriptionIdentifiersAvailable: false,
  sharedSubscriptionAvailable: false,
  userProperties: { ...refusalsCounted },
};

const connack = ({ returnCode = 0 }: IConnackPacket, assignedClientIdentifier: string | undefined): Packet => ({
  cmd: "connack",
  sessionPresent: false,
  reasonCode: connackReasons[returnCode] ?? Reason.unspecified,
  ...(returnCode === 0
    ? { properties: { ...abilities, ...(assignedClientIdentifier === undefined ? {} : { assignedClientIdentifier }) } }
    : {}),
});

const publish = (packet: IPublishPacket): Packet => {
  const { properties, ...plain } = packet;
  if (properties?.topicAlias !== undefined)
    throw new ConnectionEnded(Reason.topicAliasInvalid, "Topic aliases are not supported");
  // The retain flag violates the CONNACK's limits, but a reading that carries it is still a reading.
  return { ...plain, retain: false };
};

const refuseConnect = ({ properties, will }: IConnectPacket): void => {
  if (properties?.authenticationMethod)
    throw new ConnectionEnded(Reason.badAuthenticationMethod, "Sign in with the access token as user name");
  // [MQTT-3.2.2-13]
  if (will?.retain) throw new ConnectionEnded(Reason.retainNotSupported, "A will can't be retained");
};

/** State that 3.1.1 answers lack. */
interface Remembered {
  /** Client identifier assigned to a client that sent none. */
  assigned: string | undefined;
  /** Whether the client accepts reason strings. */
  maySayWhy: boolean;
  unsubscribing: Map<number, number>;
  subscribing: Map<number, readonly string[]>;
  explained: Map<number, Acknowledgement>;
  /** QoS 2 messages that ended with an error, for which no PUBREL follows. */
  ended: Set<number>;
}

const fromClient = (memory: Remembered, packet: Packet): Packet | null => {
  switch (packet.cmd) {
    case "connect":
      refuseConnect(packet);
      memory.maySayWhy = packet.properties?.requestProblemInformation !== false;
      if (!packet.clientId) memory.assigned = randomUUID();
      return connect(packet, memory.assigned ?? packet.clientId);
    case "publish":
      return publish(packet);
    case "subscribe":
      if (packet.properties?.subscriptionIdentifier !== undefined)
        throw new ConnectionEnded(
          Reason.subscriptionIdentifiersNotSupported,
          "Subscription identifiers are not supported",
        );
      memory.subscribing.set(
        packet.messageId ?? 0,
        packet.subscriptions.map(({ topic }) => topic),
      );
      return { ...packet, subscriptions: packet.subscriptions.map(({ topic, qos }) => ({ topic, qos })) };
    case "unsubscribe":
      memory.unsubscribing.set(packet.messageId ?? 0, packet.unsubscriptions.length);
      return packet;
    case "disconnect":
      return packet.reasonCode === Reason.disconnectWithWill ? null : { cmd: "disconnect" };
    case "auth":
      throw new ConnectionEnded(Reason.protocolError, "No authentication is under way");
    default:
      return packet;
  }
};

const taken = <Value>(
  from: Map<number, Value>,
  { messageId = 0 }: Packet & { messageId?: number },
): Value | undefined => {
  const value = from.get(messageId);
  from.delete(messageId);
  return value;
};

const suback = ({ subscribing }: Remembered, packet: ISubackPacket): Packet => {
  const filters = taken(subscribing, packet) ?? [];
  const granted = packet.granted.map((code, at) => {
    if (code !== refusedSubscription) return code;
    return filters[at]?.startsWith("$share/") ? Reason.sharedSubscriptionsNotSupported : Reason.notAuthorized;
  });
  return { ...packet, granted: granted as number[] };
};

const acknowledgement = (memory: Remembered, packet: IPubackPacket | IPubrecPacket): Packet => {
  const answer = taken(memory.explained, packet);
  if (!answer) return packet;
  const { reasonCode, properties } = answer;
  if (packet.cmd === "pubrec" && reasonCode >= Reason.unspecified) memory.ended.add(packet.messageId ?? 0);
  return { ...packet, reasonCode, ...(memory.maySayWhy && properties ? { properties } : {}) };
};

const toClient = (memory: Remembered, packet: Packet): Packet | null => {
  switch (packet.cmd) {
    case "connack":
      return connack(packet, memory.assigned);
    case "suback":
      return suback(memory, packet);
    case "puback":
    case "pubrec":
      return acknowledgement(memory, packet);
    case "pubcomp":
      return memory.ended.delete(packet.messageId ?? 0) ? null : packet;
    case "unsuback":
      return { ...packet, granted: Array<number>(taken(memory.unsubscribing, packet) ?? 1).fill(0) };
    default:
      return packet;
  }
};

/** Creates the translation of one connection; it remembers what 3.1.1 answers lack. */
export const createTranslation = (): Translation => {
  const memory: Remembered = {
    assigned: undefined,
    maySayWhy: true,
    unsubscribing: new Map(),
    subscribing: new Map(),
    explained: new Map(),
    ended: new Set(),
  };
  return {
    toBroker: (packet) => fromClient(memory, packet),
    toClient: (packet) => toClient(memory, packet),
    explain: (messageId, answer) => void memory.explained.set(messageId, answer),
  };
};
