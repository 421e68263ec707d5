import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { linkConnection, type UnauthenticatedConnection } from "../unauthenticated.ts";
import { adaptMqtt5 } from "./connection.ts";
import { ConnackCode, Reason } from "./reasons.ts";

/** The protocol level of a CONNECT; undefined until enough bytes have arrived. [MQTT-3.1.2-1] */
export const protocolLevel = (bytes: Buffer): number | undefined => {
  const lengthBytes = bytes.subarray(1, 5).findIndex((byte) => byte < 0x80) + 1;
  if (lengthBytes === 0) return bytes.length >= 5 ? 0 : undefined;
  const nameAt = 1 + lengthBytes + 2;
  if (bytes.length < nameAt) return undefined;
  return bytes[nameAt + bytes.readUInt16BE(nameAt - 2)];
};

const isConnect = (bytes: Buffer): boolean => bytes[0] === 0x10;

/** Most bytes before the protocol level of a CONNECT, with margin for a protocol name that is not MQTT. */
const peekLimit = 64;

/** Protocol levels of 3.1 and 3.1.1, and of bridges that speak them. */
const olderLevels: readonly number[] = [3, 4, 0x83, 0x84];

/** Sends CONNACK 'unsupported version' in the nearest supported format and closes the connection. [MQTT-3.1.2-2] [MQTT5-3.1.2-2] */
const refuseVersion = (socket: Socket, level: number): void => {
  const isNewer = (level & 0x7f) >= 5;
  const code = isNewer ? [3, 0, Reason.unsupportedProtocolVersion, 0] : [2, 0, ConnackCode.unacceptableProtocolVersion];
  socket.end(Buffer.from([0x20, ...code]), () => socket.destroy());
};

interface NewConnection {
  socket: Socket;
  unauthenticated: UnauthenticatedConnection;
  /** Timeout for its first bytes, milliseconds. */
  timeout: number;
  /** Called when the first bytes are no CONNECT, before the connection is closed. */
  onOther: (bytes: Buffer) => void;
}

/** Detects the protocol version from the first bytes and passes the connection to `handle` in a form that the broker can read. */
export const handleAnyVersion = (
  { socket, unauthenticated, timeout, onOther }: NewConnection,
  handle: (connection: Duplex) => void,
): void => {
  let seen = Buffer.alloc(0);
  const timer = setTimeout(() => socket.destroy(), timeout);
  const forget = () => clearTimeout(timer);
  const handOn = (connection: Duplex): void => {
    linkConnection(connection, unauthenticated);
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
      onOther(seen);
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
    handOn(level === 5 ? adaptMqtt5(socket, unauthenticated) : socket);
    if (level === 5) socket.resume();
  };
  socket.on("data", look);
};
