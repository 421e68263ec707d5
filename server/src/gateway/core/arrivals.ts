import type { KnownDevice } from "../../telemetry/index.ts";
import type { World } from "../../world.ts";
import { arrivalFinder, arrivalRemover, recordStop } from "./arrival-queries.ts";
import { type Delivery, identityOf, keyOf, type MessageIdentity } from "./message-identity.ts";

/**
 * How long after a connection a resend without the DUP flag is recognised, and how old it may be then, milliseconds: widespread clients do not set the
 * flag, although MQTT demands it [MQTT-3.3.1-1]. Limited to messages whose acknowledgement may be lost, since packet identifiers restart with every
 * connection.
 */
const grace = 60_000;

/** First arrival times of messages that carry no time of their own. */
export interface Arrivals {
  /** Identifies a message as of now, when it is asked; undefined for one that its transport never resends. */
  identifier(device: KnownDevice, payload: Buffer, delivery: Delivery): (() => MessageIdentity) | undefined;
  /** The device has opened its only connection to this node: it may resend what it sent to another one, or before this start. */
  connected(device: KnownDevice): void;
  /**
   * The first arrival time of this message if it was committed before, epoch milliseconds. Returns undefined, not a promise, when it cannot have
   * been.
   */
  committed(identity: MessageIdentity, isRepeated: boolean): Promise<number | undefined> | undefined;
  /** The same for a message that arrives now, and may be in flight: its device may have sent it to another node in between. */
  first(identity: MessageIdentity, isRepeated: boolean): Promise<number | undefined> | undefined;
  /** The first arrival time if the message is still in flight: a device may resend it before the commit. */
  waiting(identity: MessageIdentity, isRepeated: boolean): number | undefined;
  /** Registers the message as in flight with this time. */
  wait(identity: MessageIdentity, ts: number): Wait;
  /** The device disconnected by DISCONNECT and has no other connection: its next messages are new unless marked as resent. */
  disconnectedCleanly(deviceId: number): void;
  /** Records a clean shutdown and the lost acknowledgements. Call after the last commit. */
  stop(): Promise<void>;
}

/** A message in flight. */
export interface Wait {
  /**
   * Its first arrival time, epoch milliseconds: an earlier try may have committed it meanwhile, or another node while this one stood still. It is in
   * flight with that time from then on.
   */
  lookUp(isRepeated: boolean): Promise<number>;
  /** It is committed or given up. A lost acknowledgement keeps the entry for a grace period. */
  end(isLost: boolean): void;
}

interface Waiting {
  identity: MessageIdentity;
  ts: number;
}

/** Messages of this time, epoch milliseconds, may be resent without the DUP flag; both ends excluded. */
interface Window {
  from: number;
  to: number;
}

/** Messages in flight, and those whose acknowledgement was lost a moment ago. */
const createWaiting = () => {
  const waiting = new Map<string, Waiting>();
  return {
    all: () => [...waiting.values()],
    get: (identity: MessageIdentity) => waiting.get(keyOf(identity)),
    add: (identity: MessageIdentity, ts: number) => {
      const key = keyOf(identity);
      const known = waiting.get(key);
      const entry = known?.ts === ts ? known : { identity, ts };
      waiting.set(key, entry);
      const remove = () => {
        if (waiting.get(key) === entry) waiting.delete(key);
      };
      return {
        entry,
        end: (isLost: boolean): void => {
          if (isLost) setTimeout(remove, grace).unref();
          else remove();
        },
      };
    },
  };
};

/** A connection itself counts as hearing the device within this time, milliseconds. */
const connecting = 100;

/** After a start, devices come back within this time and may resend what they sent before the server went away, milliseconds. */
const returnTime = 300_000;

/** Devices that have connected a moment ago, and what they may resend. */
const createWindows = ({ clock }: Pick<World, "clock">) => {
  const windows = new Map<number, Window>();
  const startedAt = clock.now();
  return {
    open: ({ deviceId, heardAt }: KnownDevice): void => {
      const now = clock.now();
      const lost = now < startedAt + returnTime ? Math.min(startedAt, now) : now;
      const before = windows.get(deviceId);
      // A connection over which nothing came leaves what the device may resend.
      const from = before && heardAt <= before.to + connecting ? Math.min(before.from, heardAt) : heardAt;
      const window = { from: Math.max(from, lost - grace), to: now };
      windows.set(deviceId, window);
      const close = () => {
        if (windows.get(deviceId) === window) windows.delete(deviceId);
      };
      setTimeout(close, grace).unref();
    },
    close: (deviceId: number) => void windows.delete(deviceId),
    of: (deviceId: number): Window | undefined => {
      const window = windows.get(deviceId);
      return window && clock.now() < window.to + grace ? window : undefined;
    },
  };
};

/** The look-ups of committed messages in the database. */
const createLookUps = (
  find: ReturnType<typeof arrivalFinder>,
  windows: ReturnType<typeof createWindows>,
): Pick<Arrivals, "committed"> & {
  /** The arrival time at another node, if that one has committed it since it arrived here at `ts`. */
  committedElsewhere(identity: MessageIdentity, ts: number): Promise<number | undefined>;
} => {
  /** Each message is recognised as a resend once within a window. */
  const sentAgain = new Set<string>();
  const findUnacknowledged = async (identity: MessageIdentity, { from, to }: Window): Promise<number | undefined> => {
    const earlier = await find(identity);
    if (!earlier?.isUnacknowledged || earlier.ts <= from || earlier.ts >= to) return undefined;
    const key = `${keyOf(identity)} ${to}`;
    if (sentAgain.has(key)) return undefined;
    sentAgain.add(key);
    setTimeout(() => sentAgain.delete(key), 2 * grace).unref();
    return earlier.ts;
  };
  return {
    committed: (identity, isRepeated) => {
      if (isRepeated) return find(identity).then((earlier) => earlier?.ts);
      const window = windows.of(identity.deviceId);
      return window && findUnacknowledged(identity, window);
    },
    committedElsewhere: async (identity, ts) => {
      const other = await find(identity);
      return other?.isUnacknowledged && other.ts > ts - grace ? other.ts : undefined;
    },
  };
};

export const createArrivals = (world: Pick<World, "pool" | "clock" | "node" | "log">): Arrivals => {
  const { pool, node, log } = world;
  const waiting = createWaiting();
  const windows = createWindows(world);
  /** Number of clean DISCONNECTs by device. */
  const epochs = new Map<number, number>();
  const epochOf = (deviceId: number): number => epochs.get(deviceId) ?? 0;
  const remove = arrivalRemover(pool, node.id);
  const { committed, committedElsewhere } = createLookUps(arrivalFinder(pool, node.id), windows);
  const waitingFor = (identity: MessageIdentity, isRepeated: boolean): Waiting | undefined => {
    const known = waiting.get(identity);
    return isRepeated || known?.identity.epoch === identity.epoch ? known : undefined;
  };
  return {
    identifier: ({ deviceId }, payload, { packetId }) => {
      if (packetId === undefined) return undefined;
      const epoch = epochOf(deviceId);
      return () => identityOf({ deviceId, epoch }, payload, packetId);
    },
    connected: windows.open,
    committed,
    first: (identity, isRepeated) => {
      const entry = waitingFor(identity, isRepeated);
      if (!entry) return committed(identity, isRepeated);
      // It may be committed here during the look-up, and its entry be gone then.
      return committedElsewhere(identity, entry.ts).then((ts) => ts ?? entry.ts);
    },
    waiting: (identity, isRepeated) => waitingFor(identity, isRepeated)?.ts,
    wait: (identity, ts) => {
      const { entry, end } = waiting.add(identity, ts);
      const lookUp = async (isRepeated: boolean): Promise<number> => {
        entry.ts = (await committed(identity, isRepeated)) ?? (await committedElsewhere(identity, ts)) ?? entry.ts;
        return entry.ts;
      };
      return { lookUp, end };
    },
    disconnectedCleanly: (deviceId) => {
      epochs.set(deviceId, epochOf(deviceId) + 1);
      windows.close(deviceId);
      // Another node would take the device's next messages for resends.
      if (node.isOfCluster)
        remove(deviceId).catch((fault: unknown) =>
          log.warn(
            { err: fault, deviceId },
            "Could not record that a device disconnected; for a minute, equal messages to another node may be taken for resends",
          ),
        );
    },
    stop: async () => {
      const lost = waiting.all().filter(({ identity }) => identity.epoch === epochOf(identity.deviceId));
      await recordStop(
        pool,
        node.id,
        lost.map(({ identity }) => identity),
      );
    },
  };
};
