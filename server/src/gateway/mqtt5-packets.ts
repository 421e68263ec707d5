import { randomUUID } from "node:crypto";
import type { IConnackPacket, IConnectPacket, Packet } from "mqtt-packet";

/** MQTT 3.1.1 CONNACK return codes as MQTT 5 reason codes. [MQTT5 3.2.2.2] */
const connackReasons: Record<number, number> = { 0: 0x00, 1: 0x84, 2: 0x85, 3: 0x88, 4: 0x86, 5: 0x87 };

/** A client that disconnects with this reason wants its will to be published. [MQTT5 3.14.2.1] */
const disconnectWithWill = 0x04;

/** Translates the packets of one connection between a client that speaks MQTT 5 and a broker that speaks 3.1.1. */
export interface Translation {
  /** A packet from the client; null for one after which the connection is cut without a farewell. */
  toBroker(packet: Packet): Packet | null;
  /** A packet for the client. */
  toClient(packet: Packet): Packet;
}

const connect = (packet: IConnectPacket, clientId: string): Packet => {
  const expiry = packet.properties?.sessionExpiryInterval ?? 0;
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
    // A session that does not outlive its connection is what 3.1.1 calls clean.
    clean: packet.clean === true || expiry === 0,
    clientId,
    keepalive: packet.keepalive ?? 0,
    ...(packet.username === undefined ? {} : { username: packet.username }),
    ...(packet.password === undefined ? {} : { password: packet.password }),
    ...(will ? { will } : {}),
  };
};

const connack = (packet: IConnackPacket, assignedClientIdentifier: string | undefined): Packet => ({
  cmd: "connack",
  sessionPresent: packet.sessionPresent,
  reasonCode: connackReasons[packet.returnCode ?? 0] ?? 0x80,
  properties: {
    topicAliasMaximum: 0,
    sharedSubscriptionAvailable: false,
    ...(assignedClientIdentifier === undefined ? {} : { assignedClientIdentifier }),
  },
});

/** One connection's translation; it remembers the identifier it gave a client that had none, and what it unsubscribes from. */
export const createTranslation = (): Translation => {
  let assigned: string | undefined;
  const unsubscribing = new Map<number, number>();
  return {
    toBroker: (packet) => {
      switch (packet.cmd) {
        case "connect":
          if (packet.properties?.authenticationMethod) return null;
          if (!packet.clientId) assigned = randomUUID();
          return connect(packet, assigned ?? packet.clientId);
        case "publish": {
          const { properties: _properties, ...plain } = packet;
          return plain;
        }
        case "subscribe":
          return { ...packet, subscriptions: packet.subscriptions.map(({ topic, qos }) => ({ topic, qos })) };
        case "unsubscribe":
          unsubscribing.set(packet.messageId ?? 0, packet.unsubscriptions.length);
          return packet;
        case "disconnect":
          return packet.reasonCode === disconnectWithWill ? null : { cmd: "disconnect" };
        case "auth":
          return null;
        default:
          return packet;
      }
    },
    toClient: (packet) => {
      if (packet.cmd === "connack") return connack(packet, assigned);
      if (packet.cmd !== "unsuback") return packet;
      const count = unsubscribing.get(packet.messageId ?? 0) ?? 1;
      unsubscribing.delete(packet.messageId ?? 0);
      return { ...packet, granted: Array<number>(count).fill(0) };
    },
  };
};
