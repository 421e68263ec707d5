import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { asVersion4 } from "./connection.ts";

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
