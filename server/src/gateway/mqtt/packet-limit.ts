import type { EventEmitter } from "node:events";
import type { Aedes, Client } from "aedes";
import type { Packet } from "mqtt-packet";
import { ConnackCode, ConnectionEnded, Reason } from "./mqtt5/reasons.ts";
import { createPacketChecks } from "./packets/packet-checks.ts";
import { createPacketReader } from "./packets/packet-reader.ts";
import { bufferLimit, strangerOf } from "./strangers.ts";

interface ParsingClient extends Client {
  _parser: EventEmitter & { parse(chunk: Buffer): number };
}

/** Tells a client of 3.1.1 that it needs a client identifier, the one fault of a CONNECT that has an answer there; ends the connection. */
const rejectIdentifier = (client: Client): void =>
  void client.conn.end(Buffer.from([0x20, 2, 0, ConnackCode.identifierRejected]), () => client.close());

/** Puts the reader of whole packets, and what it refuses, before the parser of a client. */
const readWhole = (client: Client, prepare: (packet: Packet) => void): void => {
  const parser = (client as ParsingClient)._parser;
  parser.prependListener("packet", prepare);
  const parse = parser.parse.bind(parser);
  const stranger = strangerOf(client.conn);
  const reader = createPacketReader(createPacketChecks(stranger?.largestPacket ?? (() => bufferLimit)));
  let [isOver, held] = [false, 0];
  parser.parse = (chunk) => {
    if (isOver) return 0;
    try {
      reader.read(chunk, parse);
      // Of MQTT 5 only whole packets come this far; what is held of them is said elsewhere.
      if (reader.held() !== held) stranger?.hold(reader.held());
      held = reader.held();
    } catch (fault) {
      isOver = true;
      if (fault instanceof ConnectionEnded && fault.reasonCode === Reason.clientIdentifierNotValid)
        rejectIdentifier(client);
      else client.conn.destroy(fault as Error);
    }
    return held;
  };
};

/** Limits every connection from its first byte. `prepare` gets its packets before the broker does. */
export const limitPackets = (broker: Aedes, prepare: (packet: Packet) => void): void => {
  const handle = broker.handle;
  broker.handle = (connection, request) => {
    const client = handle(connection, request);
    readWhole(client, prepare);
    return client;
  };
};
