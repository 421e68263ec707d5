import { createServer, type Server, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createServer as createTlsServer } from "node:tls";
import { connectTimeout } from "./broker.ts";
import { handleAnyVersion } from "./mqtt5/detect-version.ts";

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

/** A port that takes connections until it is closed. */
export interface Listener {
  server: Server;
  /** Stops taking connections and ends those that are left. */
  close(): Promise<void>;
}

const listener = (server: Server): Listener => {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
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
  const accept = (socket: Socket) => handleAnyVersion(socket, (connection) => void handle(connection), connectTimeout);
  const plain = listener(createServer({ noDelay: true }, accept));
  await listen(plain.server, config.mqttPort, config.host);
  if (!config.tls) return [plain];
  const secured = listener(createTlsServer({ cert: config.tls.cert, key: config.tls.key }, accept));
  await listen(secured.server, config.tls.port, config.host);
  return [plain, secured];
};
