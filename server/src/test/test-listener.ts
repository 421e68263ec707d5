import { type ClientOptions, WebSocket } from "ws";

/** A client of the live socket. */
export interface Listener {
  /** Resolves when the server accepts it; rejects with the HTTP status otherwise. */
  opened: Promise<void>;
  closed: Promise<{ code: number }>;
  /** Waits for the next message. */
  next(): Promise<unknown>;
  /** Received messages not yet returned by `next`. */
  received: unknown[];
  socket: WebSocket;
  end(): void;
}

interface Options extends ClientOptions {
  withHeartbeats?: boolean;
}

/** Connects to the live socket at `address`. */
export const aListener = (address: string, { withHeartbeats = false, ...options }: Options = {}): Listener => {
  const socket = new WebSocket(address, options);
  const received: unknown[] = [];
  const waiting: ((message: unknown) => void)[] = [];
  socket.on("message", (data) => {
    const message = JSON.parse(String(data)) as { cmd: string };
    if (message.cmd === "heartbeat" && !withHeartbeats) return;
    const first = waiting.shift();
    if (first) first(message);
    else received.push(message);
  });
  const opened = new Promise<void>((resolve, reject) => {
    socket.once("open", resolve);
    socket.on("error", reject);
  });
  opened.catch(() => undefined);
  return {
    opened,
    closed: new Promise((resolve) => socket.once("close", (code) => resolve({ code }))),
    next: () =>
      received.length > 0 ? Promise.resolve(received.shift()) : new Promise((resolve) => waiting.push(resolve)),
    received,
    socket,
    end: () => socket.terminate(),
  };
};
