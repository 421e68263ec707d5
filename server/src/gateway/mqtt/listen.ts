import { createServer, type Server, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createServer as createTlsServer } from "node:tls";
import { connectTimeout } from "./broker.ts";
import { handleAnyVersion } from "./mqtt5/detect-version.ts";
import { createUnauthenticatedConnections, type UnauthenticatedConnections } from "./unauthenticated.ts";

export interface ListenConfig {
  /** Address and port for MQTT; port 0 takes a free one. */
  host: string;
  mqttPort: number;
  /** PEM certificate and key, and the port for MQTT over TLS; absent: no TLS. */
  tls?: { cert: string; key: string; port: number };
}

/** Accept backlog: a whole fleet reconnects at once when the server is back. The operating system may allow less. */
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
 * TCP keepalive delay, milliseconds: a client may ask for no MQTT keep alive, and one that has lost power says nothing. MQTT 5's server keep alive is
 * no alternative: widespread clients ignore it when theirs is 0, and would be cut off repeatedly.
 */
const silence = 60_000;

/** TLS handshake timeout, milliseconds; long, because the handshakes of a whole fleet queue up. */
const handshakeTimeout = 30_000;

const socketOptions = { noDelay: true, keepAlive: true, keepAliveInitialDelay: silence };

/** A listening port. */
export interface Listener {
  server: Server;
  /** Stops accepting connections and closes the open ones. */
  close(): Promise<void>;
}

const listener = (server: Server, unauthenticatedConnections: UnauthenticatedConnections): Listener => {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    unauthenticatedConnections.admit(socket);
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

/** Listens for MQTT, with and without TLS as configured. `handle` gets every connection translated to the version that the broker speaks. */
export const listenForMqtt = async (
  config: ListenConfig,
  handle: (connection: Duplex) => unknown,
): Promise<Listener[]> => {
  const unauthenticatedConnections = createUnauthenticatedConnections();
  const accept = (socket: Socket): void => {
    const unauthenticated = unauthenticatedConnections.of(socket);
    if (unauthenticated)
      handleAnyVersion({ socket, unauthenticated, timeout: connectTimeout }, (connection) => void handle(connection));
    else socket.destroy();
  };
  const plainServer = createServer(socketOptions);
  const plain = listener(plainServer, unauthenticatedConnections);
  plainServer.on("connection", accept);
  await listen(plainServer, config.mqttPort, config.host);
  if (!config.tls) return [plain];
  const { cert, key, port } = config.tls;
  const securedServer = createTlsServer({ ...socketOptions, cert, key, handshakeTimeout });
  const secured = listener(securedServer, unauthenticatedConnections);
  securedServer.on("secureConnection", accept);
  await listen(securedServer, port, config.host);
  return [plain, secured];
};
