import type { Duplex } from "node:stream";
import type { WebSocket } from "@fastify/websocket";
import { closedBySignOut } from "@telltale/contract/live";
import type { Entry } from "./admission.ts";
import { createSendBuffer, highWater, type SendBuffer } from "./send-buffer.ts";

/** A socket that is listening to its plant. */
export interface Member extends Entry {
  outlet: SendBuffer;
  /** Asks whether the other end still lives. False when it has not answered twice. */
  ping(heartbeat: Buffer): boolean;
  /** Ends the socket for good: the console signs in again. */
  signOut(): void;
  /** Ends the socket; the console connects again, with the rights it has then. */
  close(code: number, reason: string): void;
  /** Cuts the connection of somebody who does not answer. */
  cut(): void;
}

/** WebSocket close codes after which the console connects again. */
export const closeCode = { goingAway: 1001, rightsChanged: 1012, changesMissed: 1012, tooMany: 1013 };

/** Rounds of pings without an answer after which the other end counts as dead. */
const patience = 2;

/** `connection` is the socket's TCP connection: frames made once are written to it as they are. */
export const createMember = (socket: WebSocket, connection: Duplex, entry: Entry): Member => {
  let unanswered = 0;
  const write = (bytes: Buffer): void => {
    // After a close frame nothing may follow.
    if (socket.readyState === socket.OPEN) connection.write(bytes);
  };
  const wire = {
    write,
    get waiting() {
      return connection.writableLength;
    },
  };
  socket.on("pong", () => {
    unanswered = 0;
  });
  return {
    ...entry,
    outlet: createSendBuffer(wire),
    ping: (heartbeat) => {
      unanswered += 1;
      if (unanswered > patience) return false;
      if (socket.readyState === socket.OPEN) socket.ping();
      if (wire.waiting <= highWater) write(heartbeat);
      return true;
    },
    signOut: () => socket.close(closedBySignOut, "Signed out"),
    close: (code, reason) => socket.close(code, reason),
    cut: () => socket.terminate(),
  };
};
