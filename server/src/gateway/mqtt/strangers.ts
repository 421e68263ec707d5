import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { networkOf } from "../../platform/limits/network.rules.ts";
import { connectLimit } from "./packets/packet-checks.ts";

/** Bytes of a device's largest packet: more than any payload that is stored, so that those too large are counted. */
export const bufferLimit = 1024 * 1024;

/** How many connections may not have signed in yet, and how many bytes of unfinished packets they may have sent. */
export interface StrangerLimits {
  connections: number;
  bytes: number;
}

/** Of one network, which a plant's thousands of devices may be behind when they all come back at once, and of all together. */
const usualLimits = {
  network: { connections: 8_192, bytes: 4 * 1024 * 1024 },
  all: { connections: 16_384, bytes: 32 * 1024 * 1024 },
} as const satisfies Record<string, StrangerLimits>;

/** A connection that has not signed in. */
export interface Stranger {
  /** So many bytes of a packet are here, and the rest is not. */
  hold(bytes: number): void;
  /** Bytes of the largest packet that it may send after its CONNECT. */
  largestPacket(): number;
  /** It stays without having signed in, and may send little. */
  becomeGuest(): void;
  signIn(): void;
}

interface Entry {
  socket: Socket;
  bytes: number;
}

const oldest = (entries: Set<Entry>): Entry | undefined => entries.values().next().value;

/** Connections in the order in which they came. */
const createPool = (limits: StrangerLimits) => {
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
    /** To be told before the entry's own figure changes. */
    hold: (entry: Entry, now: number): void => {
      bytes += now - entry.bytes;
      if (now > 0) holding.add(entry);
      else holding.delete(entry);
    },
    /** The one to end while there are too many, or too many bytes. */
    surplus: (): Entry | undefined => {
      if (entries.size > limits.connections) return oldest(entries);
      return bytes > limits.bytes ? oldest(holding) : undefined;
    },
  };
};

type Pool = ReturnType<typeof createPool>;

export interface Strangers {
  /** Takes in a connection that has just been made. */
  admit(socket: Socket): void;
  /** The same connection, also when it is TLS that is spoken on it by now; undefined when it has ended. */
  of(socket: Socket): Stranger | undefined;
}

/** The same for a TLS connection as for the one that carries it. */
const endpointsOf = ({ remoteAddress, remotePort, localPort }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localPort}`;

/**
 * Bounds what connections may take that have not signed in. One too many ends the oldest and not the newest: a device signs in within a moment, and what
 * stays longer is no device, or one that has to begin anew anyway.
 */
export const createStrangers = (limits: Record<"network" | "all", StrangerLimits> = usualLimits): Strangers => {
  const all = createPool(limits.all);
  const networks = new Map<string, Pool>();
  const known = new Map<string, Stranger>();
  const leave = new WeakMap<Entry, () => void>();
  const endSurplus = (pool: Pool): void => {
    for (let entry = pool.surplus(); entry; entry = pool.surplus()) {
      leave.get(entry)?.();
      entry.socket.destroy();
    }
  };
  const admit = (socket: Socket): void => {
    const [endpoints, network] = [endpointsOf(socket), networkOf(socket.remoteAddress ?? "")];
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
      hold: (bytes) => {
        // While its CONNECT is looked up nothing more is read, and what came with it is counted as no more than a CONNECT.
        const now = Math.min(bytes, connectLimit);
        if (!isIn || now === entry.bytes) return;
        for (const pool of pools) pool.hold(entry, now);
        entry.bytes = now;
        pools.forEach(endSurplus);
      },
      largestPacket: () => (isGuest ? connectLimit : bufferLimit),
      becomeGuest: () => {
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

const ofConnections = new WeakMap<Duplex, Stranger>();

/** Remembers whose connection it is that the broker gets. */
export const introduce = (connection: Duplex, stranger: Stranger): void => void ofConnections.set(connection, stranger);

/** Whose connection this is. */
export const strangerOf = (connection: Duplex): Stranger | undefined => ofConnections.get(connection);
