import type { Client } from "aedes";

interface Acknowledged {
  packetId: number;
  onSent: () => void;
}

export interface Acknowledgements {
  /** Sends the PUBACK of a client's message soon, behind those before it; then calls `onSent`, which is not before the client reads what it is sent. */
  send(client: Client, packetId: number, onSent: () => void): void;
}

/** Bytes of a PUBACK: type, remaining length, packet identifier. [MQTT 3.4] */
const length = 4;

const encoded = (messages: readonly Acknowledged[]): Buffer => {
  const packets = Buffer.allocUnsafe(messages.length * length);
  let at = 0;
  for (const { packetId } of messages) at = packets.writeUInt16BE(packetId, packets.writeUInt16BE(0x4002, at));
  return packets;
};

const sendAll = (client: Client, messages: readonly Acknowledged[]): void => {
  const goOn = (): void => {
    for (const { onSent } of messages) onSent();
  };
  if (client.closed || client.conn.destroyed || client.conn.write(encoded(messages))) goOn();
  else client.conn.once("drain", goOn);
};

/**
 * A commit holds messages of thousands of connections, several of each. aedes writes every PUBACK by itself, in three pieces: that took a sixth of the
 * server's time under full load. Here the PUBACKs of one connection are one write, in the order in which their messages are done. [MQTT-4.6.0-2]
 */
export const createAcknowledgements = (): Acknowledgements => {
  let waiting = new Map<Client, Acknowledged[]>();
  const flush = (): void => {
    const all = waiting;
    waiting = new Map();
    for (const [client, messages] of all) sendAll(client, messages);
  };
  return {
    send: (client, packetId, onSent) => {
      if (waiting.size === 0) process.nextTick(flush);
      const known = waiting.get(client);
      if (known) known.push({ packetId, onSent });
      else waiting.set(client, [{ packetId, onSent }]);
    },
  };
};
