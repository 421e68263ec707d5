import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { networkOf } from "../../platform/limits/network.rules.ts";
import { connectLimit } from "./packets/packet-checks.ts";

/** Largest packet of a device, bytes: larger than any payload that is stored, so that oversized payloads can be counted. */
export const bufferLimit = 1024 * 1024;

/** Most unauthenticated connections, and most bytes of incomplete packets that they may have sent. */
export interface UnauthenticatedLimits {
  connections: number;
  bytes: number;
}

/** Limits per network and in all. A plant's thousands of devices may be behind one network and reconnect at once. */
const usualLimits = {
  network: { connections: 8_192, bytes: 4 * 1024 * 1024 },
  all: { connections: 16_384, bytes: 32 * 1024 * 1024 },
} as const satisfies Record<string, UnauthenticatedLimits>;

/** A connection that has not authenticated. */
export interface UnauthenticatedConnection {
  /** The client's. */
  address: string;
  /** Reports how many bytes of an incomplete packet are buffered. */
  hold(bytes: number): void;
  /** Largest packet that it may send after its CONNECT, bytes. */
  largestPacket(): number;
  /** The connection stays without authenticating (provisioning), and may send only small packets. */
  restrict(): void;
  signIn(): void;
}

interface Entry {
  socket: Socket;
  bytes: number;
}

const oldest = (entries: Set<Entry>): Entry | undefined => entries.values().next().value;

/** Connections in order of arrival, with their limits. */
const createPool = (limits: UnauthenticatedLimits) => {
  const entries = new Set<Entry>();
  const holding = new Set<Entry>();
  let bytes = 0;
  return {
    isEmpty: (): boolean => entries.size === 0,
    add: (entry: Entry): void => void entries.add(entry),
    remove: (entry: Entry): void => {
      entries.delete(entry);
      if (holding.delete(entry)) bytes -= entry.bytes;
    },
    /** Call before the entry's own figure changes. */
    hold: (entry: Entry, now: number): void => {
      bytes += now - entry.bytes;
      if (now > 0) holding.add(entry);
      else holding.delete(entry);
    },
    /** The connection to close while the pool is above a limit. */
    surplus: (): Entry | undefined => {
      if (entries.size > limits.connections) return oldest(entries);
      return bytes > limits.bytes ? oldest(holding) : undefined;
    },
  };
};

type Pool = ReturnType<typeof createPool>;

export interface UnauthenticatedConnections {
  /** Registers a new connection; `address` is its client's, which differs from the socket's behind a proxy. */
  admit(socket: Socket, address: string): void;
  /** The registered connection of a socket, also for the TLS socket on top of it; undefined when it has ended. */
  of(socket: Socket): UnauthenticatedConnection | undefined;
}

/** Key of a connection; the same for a TLS socket and the TCP socket that carries it. */
const endpointsOf = ({ remoteAddress, remotePort, localPort }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localPort}`;

/**
 * Limits the resources of unauthenticated connections. Above a limit the oldest is closed and not the newest: a device authenticates within a moment,
 * and what stays longer is no device, or one that has to reconnect anyway.
 */
export const createUnauthenticatedConnections = (
  limits: Record<"network" | "all", UnauthenticatedLimits> = usualLimits,
): UnauthenticatedConnections => {
  const all = createPool(limits.all);
  const networks = new Map<string, Pool>();
  const known = new Map<string, UnauthenticatedConnection>();
  const leave = new WeakMap<Entry, () => void>();
  const endSurplus = (pool: Pool): void => {
    for (let entry = pool.surplus(); entry; entry = pool.surplus()) {
      leave.get(entry)?.();
      entry.socket.destroy();
    }
  };
  const admit = (socket: Socket, address: string): void => {
    const [endpoints, network] = [endpointsOf(socket), networkOf(address)];
    const entry: Entry = { socket, bytes: 0 };
    const own = networks.get(network) ?? createPool(limits.network);
    networks.set(network, own);
    const pools = [own, all];
    let [isIn, isGuest] = [true, false];
    leave.set(entry, () => {
      isIn = false;
      for (const pool of pools) pool.remove(entry);
      if (own.isEmpty() && networks.get(network) === own) networks.delete(network);
    });
    known.set(endpoints, {
      address,
      hold: (bytes) => {
        // While its CONNECT is authenticated nothing more is read; bytes that came with it count at most as one CONNECT.
        const now = Math.min(bytes, connectLimit);
        if (!isIn || now === entry.bytes) return;
        for (const pool of pools) pool.hold(entry, now);
        entry.bytes = now;
        pools.forEach(endSurplus);
      },
      largestPacket: () => (isGuest ? connectLimit : bufferLimit),
      restrict: () => {
        isGuest = true;
      },
      signIn: () => leave.get(entry)?.(),
    });
    for (const pool of pools) pool.add(entry);
    socket.once("close", () => {
      known.delete(endpoints);
      leave.get(entry)?.();
    });
    pools.forEach(endSurplus);
  };
  return { admit, of: (socket) => known.get(endpointsOf(socket)) };
};

const ofConnections = new WeakMap<Duplex, UnauthenticatedConnection>();

/** Links the connection that the broker gets to its entry. */
export const linkConnection = (connection: Duplex, unauthenticated: UnauthenticatedConnection): void =>
  void ofConnections.set(connection, unauthenticated);

/** The entry of the broker's connection. */
export const unauthenticatedOf = (connection: Duplex): UnauthenticatedConnection | undefined =>
  ofConnections.get(connection);
