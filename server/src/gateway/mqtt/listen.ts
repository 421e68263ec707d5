import { createServer, type Server, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createServer as createTlsServer } from "node:tls";
import { compile } from "@fastify/proxy-addr";
import type { Logger } from "pino";
import { connectTimeout } from "./broker.ts";
import { handleAnyVersion } from "./mqtt5/detect-version.ts";
import { isProxyHeader, takeProxyHeader } from "./proxy-header.ts";
import { createUnauthenticatedConnections, type UnauthenticatedConnections } from "./unauthenticated.ts";

export interface ListenConfig {
  /** Address and port for MQTT; port 0 takes a free one. */
  host: string;
  mqttPort: number;
  /** PEM certificate and key, and the port for MQTT over TLS; absent: no TLS. */
  tls?: { cert: string; key: string; port: number };
  /** Addresses of proxies, separated by commas, that may say by the PROXY protocol whose connection it is. */
  proxies?: string;
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

/** Whether an address is one of these. */
const oneOf = (addresses: string | undefined): ((address: string) => boolean) => {
  if (addresses === undefined) return () => false;
  const isOneOf = compile(addresses.split(",").map((address) => address.trim()));
  return (address) => isOneOf(address, 0);
};

/** Interval of the warning about a proxy that is not trusted, milliseconds. */
const warningInterval = 60_000;

/** Warns when the first bytes of a refused connection are a header of the PROXY protocol. */
const untrustedProxyWarning = (log: Logger) => {
  let last = Number.NEGATIVE_INFINITY;
  return ({ remoteAddress }: Socket, bytes: Buffer): void => {
    if (!isProxyHeader(bytes) || performance.now() - last < warningInterval) return;
    last = performance.now();
    log.warn(
      { remoteAddress },
      "A proxy speaks the PROXY protocol but is not in TRUST_PROXY, so its devices are refused: add its address to TRUST_PROXY",
    );
  };
};

interface ListenerNeeds {
  isProxy: (address: string) => boolean;
  unauthenticatedConnections: UnauthenticatedConnections;
  accept: (socket: Socket) => void;
}

/** Registers each connection as unauthenticated under its client's address, then passes it to `accept`. */
const createListener = ({ isProxy, unauthenticatedConnections, accept }: ListenerNeeds): Listener => {
  const sockets = new Set<Socket>();
  const server = createServer(socketOptions, (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    const { remoteAddress = "" } = socket;
    const admit = (address = remoteAddress): void => {
      unauthenticatedConnections.admit(socket, address);
      accept(socket);
    };
    if (isProxy(remoteAddress)) takeProxyHeader(socket, connectTimeout, admit);
    else admit();
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
  log: Logger,
): Promise<Listener[]> => {
  const unauthenticatedConnections = createUnauthenticatedConnections();
  const warn = untrustedProxyWarning(log);
  const accept = (socket: Socket): void => {
    const unauthenticated = unauthenticatedConnections.of(socket);
    if (unauthenticated)
      handleAnyVersion(
        { socket, unauthenticated, timeout: connectTimeout, onOther: (bytes) => warn(socket, bytes) },
        (connection) => void handle(connection),
      );
    else socket.destroy();
  };
  const needs = { isProxy: oneOf(config.proxies), unauthenticatedConnections };
  const plain = createListener({ ...needs, accept });
  await listen(plain.server, config.mqttPort, config.host);
  if (!config.tls) return [plain];
  const { cert, key, port } = config.tls;
  // Does not listen itself: a proxy's header comes before the handshake.
  const securing = createTlsServer({ cert, key, handshakeTimeout }, accept);
  const secured = createListener({ ...needs, accept: (socket) => securing.emit("connection", socket) });
  await listen(secured.server, port, config.host);
  return [plain, secured];
};
