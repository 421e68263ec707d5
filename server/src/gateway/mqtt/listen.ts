import { createServer, type Server, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createServer as createTlsServer } from "node:tls";
import { connectTimeout } from "./broker.ts";
import { handleAnyVersion } from "./mqtt5/detect-version.ts";
import { createStrangers, type Strangers } from "./strangers.ts";

export interface ListenConfig {
  /** Address and port for MQTT; port 0 takes a free one. */
  host: string;
  mqttPort: number;
  /** PEM certificate and key, and the port for MQTT over TLS; absent: no TLS. */
  tls?: { cert: string; key: string; port: number };
}

/** Connections that may wait to be taken: a fleet comes all at once when the server is back. The operating system may allow fewer. */
const backlog = 4096;

const listen = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host, backlog }, () => {
      server.off("error", reject);
      resolve();
    });
  });

/**
 * Without a word for so long a connection is asked whether it is still there, milliseconds. A client may ask for no keep alive, and one that has lost its power says nothing.
 * MQTT 5 knows a server's keep alive for this, which widespread clients pass over when theirs is 0: they would be cut off again and again.
 */
const silence = 60_000;

/** A TLS handshake that is not done after this time is ended, milliseconds: a fleet that comes all at once takes turns. */
const handshakeTimeout = 30_000;

const socketOptions = { noDelay: true, keepAlive: true, keepAliveInitialDelay: silence };

/** A port that takes connections until it is closed. */
export interface Listener {
  server: Server;
  /** Stops taking connections and ends those that are left. */
  close(): Promise<void>;
}

const listener = (server: Server, strangers: Strangers): Listener => {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    strangers.admit(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return {
    server,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
};

/** Listens for MQTT, with and without TLS as configured; `handle` gets every connection in the version that the broker speaks. */
export const listenForMqtt = async (
  config: ListenConfig,
  handle: (connection: Duplex) => unknown,
): Promise<Listener[]> => {
  const strangers = createStrangers();
  const accept = (socket: Socket): void => {
    const stranger = strangers.of(socket);
    if (stranger)
      handleAnyVersion({ socket, stranger, timeout: connectTimeout }, (connection) => void handle(connection));
    else socket.destroy();
  };
  const plainServer = createServer(socketOptions);
  const plain = listener(plainServer, strangers);
  plainServer.on("connection", accept);
  await listen(plainServer, config.mqttPort, config.host);
  if (!config.tls) return [plain];
  const { cert, key, port } = config.tls;
  const securedServer = createTlsServer({ ...socketOptions, cert, key, handshakeTimeout });
  const secured = listener(securedServer, strangers);
  securedServer.on("secureConnection", accept);
  await listen(securedServer, port, config.host);
  return [plain, secured];
};
