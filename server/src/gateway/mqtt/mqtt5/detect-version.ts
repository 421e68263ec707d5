import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { introduce, type Stranger } from "../strangers.ts";
import { asVersion4 } from "./connection.ts";
import { ConnackCode, Reason } from "./reasons.ts";

/** A CONNECT's protocol level, once enough of it is here. [MQTT-3.1.2-1] */
export const protocolLevel = (bytes: Buffer): number | undefined => {
  const lengthBytes = bytes.subarray(1, 5).findIndex((byte) => byte < 0x80) + 1;
  if (lengthBytes === 0) return bytes.length >= 5 ? 0 : undefined;
  const nameAt = 1 + lengthBytes + 2;
  if (bytes.length < nameAt) return undefined;
  return bytes[nameAt + bytes.readUInt16BE(nameAt - 2)];
};

const isConnect = (bytes: Buffer): boolean => bytes[0] === 0x10;

/** The most that a CONNECT's protocol level can be preceded by, with some room for a name that is no MQTT. */
const peekLimit = 64;

/** Levels of 3.1, 3.1.1 and of their bridges. */
const olderLevels: readonly number[] = [3, 4, 0x83, 0x84];

/** Tells a client that its version is not spoken here, in the form of the nearest that is, and ends the connection. [MQTT-3.1.2-2] [MQTT5-3.1.2-2] */
const refuseVersion = (socket: Socket, level: number): void => {
  const isNewer = (level & 0x7f) >= 5;
  const code = isNewer ? [3, 0, Reason.unsupportedProtocolVersion, 0] : [2, 0, ConnackCode.unacceptableProtocolVersion];
  socket.end(Buffer.from([0x20, ...code]), () => socket.destroy());
};

interface Newcomer {
  socket: Socket;
  stranger: Stranger;
  /** For its first bytes, milliseconds. */
  timeout: number;
}

/** Waits for the first bytes of a connection, and hands it to `handle` as the broker can read it. */
export const handleAnyVersion = (
  { socket, stranger, timeout }: Newcomer,
  handle: (connection: Duplex) => void,
): void => {
  let seen = Buffer.alloc(0);
  const timer = setTimeout(() => socket.destroy(), timeout);
  const forget = () => clearTimeout(timer);
  const handOn = (connection: Duplex): void => {
    introduce(connection, stranger);
    handle(connection);
  };
  socket.on("error", forget);
  socket.on("close", forget);
  const look = (chunk: Buffer): void => {
    seen = Buffer.concat([seen, chunk]);
    const level = protocolLevel(seen);
    if (level === undefined && isConnect(seen) && seen.length < peekLimit) return;
    forget();
    socket.off("data", look);
    // [MQTT-3.1.0-1]
    if (level === undefined || !isConnect(seen)) {
      socket.destroy();
      return;
    }
    if (level !== 5 && !olderLevels.includes(level)) {
      refuseVersion(socket, level);
      return;
    }
    socket.off("error", forget);
    socket.pause();
    socket.unshift(seen);
    handOn(level === 5 ? asVersion4(socket, stranger) : socket);
    if (level === 5) socket.resume();
  };
  socket.on("data", look);
};
