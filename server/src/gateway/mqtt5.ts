import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import mqttPacket, { type Packet } from "mqtt-packet";
import { createTranslation } from "./mqtt5-packets.ts";
import { bufferLimit, PacketTooLarge } from "./packet-limit.ts";

const version5 = { protocolVersion: 5 } as const;
const version4 = { protocolVersion: 4 } as const;

const generate = (packet: Packet, options: typeof version4 | typeof version5): Buffer =>
  Buffer.from(mqttPacket.generate(packet, options));

/**
 * A connection of an MQTT 5 client as the broker, which speaks 3.1.1, sees it. What 5 adds (properties, topic aliases, reason codes)
 * is answered or left out; acknowledgements and flow control pass through.
 */
const asVersion4 = (socket: Socket): Duplex => {
  const translation = createTranslation();
  const fromClient = mqttPacket.parser(version5);
  const fromBroker = mqttPacket.parser(version4);
  const duplex = new Duplex({
    read: () => void socket.resume(),
    write: (chunk: Buffer, _encoding, done) => {
      fromBroker.parse(chunk);
      if (socket.writableNeedDrain) socket.once("drain", done);
      else done();
    },
    final: (done) => void socket.end(done),
    destroy: (fault, done) => {
      socket.destroy(fault ?? undefined);
      done(fault);
    },
  });
  // A packet that the other version has no words for (a topic alias, an answer that nobody asked for) makes the translation throw.
  const orEnd = (translate: () => void): void => {
    try {
      translate();
    } catch (fault) {
      duplex.destroy(fault as Error);
    }
  };
  fromBroker.on("packet", (packet: Packet) =>
    orEnd(() => void socket.write(generate(translation.toClient(packet), version5))),
  );
  fromClient.on("packet", (packet: Packet) =>
    orEnd(() => {
      const translated = translation.toBroker(packet);
      if (translated === null) duplex.destroy();
      else if (!duplex.push(generate(translated, version4))) socket.pause();
    }),
  );
  for (const parser of [fromClient, fromBroker]) parser.on("error", (fault: Error) => duplex.destroy(fault));
  socket.on("data", (chunk: Buffer) => {
    if (fromClient.parse(chunk) > bufferLimit) duplex.destroy(new PacketTooLarge());
  });
  socket.on("end", () => duplex.push(null));
  socket.on("error", (fault) => duplex.destroy(fault));
  socket.on("close", () => duplex.destroy());
  return duplex;
};

/** A CONNECT's protocol level, once enough of it is here. [MQTT-3.1.2-1] */
export const protocolLevel = (bytes: Buffer): number | undefined => {
  const lengthBytes = bytes.subarray(1, 5).findIndex((byte) => byte < 0x80) + 1;
  if (lengthBytes === 0) return bytes.length >= 5 ? 0 : undefined;
  const nameAt = 1 + lengthBytes + 2;
  if (bytes.length < nameAt) return undefined;
  return bytes[nameAt + bytes.readUInt16BE(nameAt - 2)];
};

/** The most that a CONNECT's protocol level can be preceded by, with some room for a name that is no MQTT. */
const peekLimit = 64;

/** Waits for the first bytes of a connection, and hands it to `handle` as the broker can read it. `timeout` in milliseconds. */
export const handleAnyVersion = (socket: Socket, handle: (connection: Duplex) => void, timeout: number): void => {
  let seen = Buffer.alloc(0);
  const timer = setTimeout(() => socket.destroy(), timeout);
  const forget = () => clearTimeout(timer);
  socket.on("error", forget);
  socket.on("close", forget);
  const look = (chunk: Buffer): void => {
    seen = Buffer.concat([seen, chunk]);
    const level = protocolLevel(seen);
    if (level === undefined && seen.length < peekLimit) return;
    forget();
    socket.off("data", look);
    socket.off("error", forget);
    socket.pause();
    socket.unshift(seen);
    handle(level === 5 ? asVersion4(socket) : socket);
    if (level === 5) socket.resume();
  };
  socket.on("data", look);
};
