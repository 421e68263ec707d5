import type { EventEmitter } from "node:events";
import type { Aedes, Client } from "aedes";
import type { Packet } from "mqtt-packet";
import { ConnackCode, ConnectionEnded, Reason } from "./mqtt5/reasons.ts";
import { createPacketChecks } from "./packets/packet-checks.ts";
import { createPacketReader } from "./packets/packet-reader.ts";
import { createTurns, readInTurns } from "./turns.ts";
import { bufferLimit, unauthenticatedOf } from "./unauthenticated.ts";

interface ParsingClient extends Client {
  _parser: EventEmitter & { parse(chunk: Buffer): number };
}

/** Sends CONNACK 'identifier rejected', the one fault of a 3.1.1 CONNECT that has an answer, and closes the connection. */
const rejectIdentifier = (client: Client): void =>
  void client.conn.end(Buffer.from([0x20, 2, 0, ConnackCode.identifierRejected]), () => client.close());

/** Puts the packet reader and its checks in front of a client's parser. */
const readWhole = (client: Client, prepare: (packet: Packet) => void): void => {
  const parser = (client as ParsingClient)._parser;
  parser.prependListener("packet", prepare);
  const parse = parser.parse.bind(parser);
  const unauthenticated = unauthenticatedOf(client.conn);
  const reader = createPacketReader(createPacketChecks(unauthenticated?.largestPacket ?? (() => bufferLimit)));
  let [isOver, held] = [false, 0];
  parser.parse = (chunk) => {
    if (isOver) return 0;
    try {
      reader.read(chunk, parse);
      // MQTT 5 connections deliver only whole packets here; their partial packets are counted in mqtt5/connection.ts.
      if (reader.held() !== held) unauthenticated?.hold(reader.held());
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

interface PacketNeeds {
  /** Gets packets before the broker does. */
  prepare: (packet: Packet) => void;
  /** Whether the writer has enough for now. */
  isSupplied: () => boolean;
}

/** Applies size limits and checks to every connection from its first byte, and shares the processor among them. */
export const limitPackets = (broker: Aedes, { prepare, isSupplied }: PacketNeeds): void => {
  const handle = broker.handle;
  const turns = createTurns(isSupplied);
  broker.handle = (connection, request) => {
    const client = handle(connection, request);
    readWhole(client, prepare);
    readInTurns(client, turns);
    return client;
  };
};
