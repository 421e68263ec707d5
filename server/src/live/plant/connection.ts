import type { Duplex } from "node:stream";
import type { WebSocket } from "@fastify/websocket";
import { closedBySignOut } from "@telltale/contract/live";
import type { Admission } from "./admission.ts";
import { createSendBuffer, highWater, type SendBuffer } from "./send-buffer.ts";

/** An open live socket of an account. */
export interface Connection extends Admission {
  sendBuffer: SendBuffer;
  /** Tells the console that the connection works, unless it has not taken what was sent before. */
  beat(heartbeat: Buffer): void;
  /** Sends a ping. False when the last two were not answered. */
  ping(): boolean;
  /** Closes the socket permanently: the console has to sign in again. */
  signOut(): void;
  /** Closes the socket; the console reconnects with its current rights. */
  close(code: number, reason: string): void;
  /** Terminates a socket that does not answer. */
  cut(): void;
}

/** WebSocket close codes after which the console reconnects. */
export const closeCode = { goingAway: 1001, rightsChanged: 1012, changesMissed: 1012, tooMany: 1013 };

/** Unanswered pings after which the peer counts as dead. */
const unansweredLimit = 2;

/** `tcp` is the socket's TCP connection: prebuilt frames are written to it directly. */
export const createConnection = (socket: WebSocket, tcp: Duplex, entry: Admission): Connection => {
  let unanswered = 0;
  const write = (bytes: Buffer): void => {
    // Nothing may follow a close frame.
    if (socket.readyState === socket.OPEN) tcp.write(bytes);
  };
  const wire = {
    write,
    get waiting() {
      return tcp.writableLength;
    },
  };
  socket.on("pong", () => {
    unanswered = 0;
  });
  return {
    ...entry,
    sendBuffer: createSendBuffer(wire),
    beat: (heartbeat) => {
      if (wire.waiting <= highWater) write(heartbeat);
    },
    ping: () => {
      unanswered += 1;
      if (unanswered > unansweredLimit) return false;
      if (socket.readyState === socket.OPEN) socket.ping();
      return true;
    },
    signOut: () => socket.close(closedBySignOut, "Signed out"),
    close: (code, reason) => socket.close(code, reason),
    cut: () => socket.terminate(),
  };
};
