import type { Aedes, Client } from "aedes";
import type { IPublishPacket } from "mqtt-packet";

type Identified = Pick<IPublishPacket, "messageId">;

/** The part of aedes' persistence for QoS 2 messages that wait for their PUBREL. */
interface IncomingStore {
  incomingStorePacket(client: Client, packet: Identified): Promise<void>;
  incomingGetPacket(client: Client, packet: Identified): Promise<Identified>;
  incomingDelPacket(client: Client, packet: Identified): Promise<void>;
  cleanIncoming(client: Client): Promise<void>;
}

const unknown = new Error("no such packet");

const createIncomingStore = (): IncomingStore => {
  const received = new WeakMap<Client, Set<number>>();
  return {
    incomingStorePacket: async (client, { messageId = 0 }) => {
      const known = received.get(client);
      if (known) known.add(messageId);
      else received.set(client, new Set([messageId]));
    },
    incomingGetPacket: async (client, { messageId = 0 }) => {
      if (!received.get(client)?.has(messageId)) throw unknown;
      return { messageId };
    },
    incomingDelPacket: async (client, { messageId = 0 }) => {
      if (!received.get(client)?.delete(messageId)) throw unknown;
    },
    cleanIncoming: async (client) => void received.delete(client),
  };
};

/**
 * Keeps only the packet identifier of a QoS 2 message until its PUBREL. The message itself is committed before its PUBREC and no longer needed, and a
 * client that never sends a PUBREL would make the server hold a thousand of them. [MQTT-4.3.3-2]
 */
export const keepIdentifiersOnly = (broker: Aedes): void => {
  Object.assign((broker as Aedes & { persistence: object }).persistence, createIncomingStore());
};
