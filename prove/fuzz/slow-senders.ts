import { connect, type Socket } from "node:net";

/** Connections that send a request one byte at a time and never finish it. */
export interface SlowSenders {
  /** Number of connections that the server has not closed yet. */
  open(): number;
  stop(): void;
}

/** Opens `count` connections that send `bytes`, one every `pause` milliseconds, and then zeros forever. */
export const startSlowSenders = (port: number, bytes: Buffer, count: number, pause: number): SlowSenders => {
  const sockets = new Set<Socket>();
  let sent = 0;
  for (let number = 0; number < count; number += 1) {
    const socket = connect({ port, host: "127.0.0.1" });
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("data", () => undefined);
    socket.on("close", () => sockets.delete(socket));
  }
  const timer = setInterval(() => {
    const byte = bytes.subarray(sent, sent + 1);
    sent += 1;
    for (const socket of sockets) socket.write(byte.length > 0 ? byte : Buffer.from("0"));
  }, pause);
  return {
    open: () => sockets.size,
    stop: () => {
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
    },
  };
};
