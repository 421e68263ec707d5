import type { Aedes, Client } from "aedes";

/** Bytes of one connection that may wait for the rest of their packet: more than any payload that is stored, so that those too large are counted. */
export const bufferLimit = 1024 * 1024;

/** Ends the connection of a client whose packet claims to be larger. */
export class PacketTooLarge extends Error {
  constructor() {
    super("Packet too large");
    this.name = "PacketTooLarge";
  }
}

interface ParsingClient extends Client {
  _parser: { parse(chunk: Buffer): number };
}

/** MQTT allows packets of 256 MB and the parser collects them, a stranger's CONNECT too; this ends the connection when one grows beyond the limit. */
const limitBuffer = (client: Client): void => {
  const parser = (client as ParsingClient)._parser;
  const parse = parser.parse.bind(parser);
  parser.parse = (chunk) => {
    const unparsed = parse(chunk);
    if (unparsed > bufferLimit) client.conn.destroy(new PacketTooLarge());
    return unparsed;
  };
};

/** Limits every connection from its first byte. */
export const limitPackets = (broker: Aedes): void => {
  const handle = broker.handle;
  broker.handle = (connection, request) => {
    const client = handle(connection, request);
    limitBuffer(client);
    return client;
  };
};
