import type { KnownDevice } from "../../../telemetry/index.ts";
import type { World } from "../../../world.ts";
import { arrivalFinder, arrivalRemover, recordStop } from "./arrival-queries.ts";
import { type Delivery, identityOf, keyOf, type MessageIdentity, SentElsewhere } from "./message-identity.ts";
import { createReloads, createWindows, grace, type ResendWindow } from "./resend-windows.ts";

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
  /**
   * The same for a message that arrives now, and may be in flight: its device may have sent it to another node in between. `loads`: how often its devices
   * were loaded, in all. Rejects with `SentElsewhere`.
   */
  first(identity: MessageIdentity, delivery: Delivery, loads: number): Promise<number | undefined> | undefined;
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
   * flight with that time from then on. Rejects with `SentElsewhere`.
   */
  lookUp(delivery: Delivery): Promise<number>;
  /** It is committed or given up. A lost acknowledgement keeps the entry for a grace period. */
  end(isLost: boolean): void;
}

interface Waiting {
  identity: MessageIdentity;
  ts: number;
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

/** A message on its way to the database. */
interface Underway {
  identity: MessageIdentity;
  /** When it arrived, epoch milliseconds. */
  ts: number;
  /** Its connection broke, so that its device sends it again unless that has been acknowledged elsewhere. */
  isBroken: boolean;
}

/** The look-ups of committed messages in the database. */
const createLookUps = (
  find: ReturnType<typeof arrivalFinder>,
  windows: ReturnType<typeof createWindows>,
): Pick<Arrivals, "committed"> & {
  /** The arrival time at another node, if that one has committed it since it arrived here. Rejects with `SentElsewhere`. */
  committedElsewhere(message: Underway): Promise<number | undefined>;
} => {
  /** Each message is recognised as a resend once within a window. */
  const sentAgain = new Set<string>();
  const findUnacknowledged = async (
    identity: MessageIdentity,
    { from, to }: ResendWindow,
  ): Promise<number | undefined> => {
    const earlier = await find(identity);
    if (!earlier?.isSame || !earlier.isUnacknowledged || earlier.ts <= from || earlier.ts >= to) return undefined;
    const key = `${keyOf(identity)} ${to}`;
    if (sentAgain.has(key)) return undefined;
    sentAgain.add(key);
    setTimeout(() => sentAgain.delete(key), 2 * grace).unref();
    return earlier.ts;
  };
  return {
    committed: (identity, isRepeated) => {
      if (isRepeated) return find(identity).then((earlier) => (earlier?.isSame ? earlier.ts : undefined));
      const window = windows.of(identity.deviceId);
      return window && findUnacknowledged(identity, window);
    },
    committedElsewhere: async ({ identity, ts, isBroken }) => {
      const other = await find(identity);
      if (!other?.isElsewhere || other.ts <= ts - grace) return undefined;
      if (other.isSame) return other.isUnacknowledged ? other.ts : undefined;
      // Of so many messages none is in flight any more when another one takes its slot.
      if (isBroken) throw new SentElsewhere();
      return undefined;
    },
  };
};

/** Returns the function that makes other nodes take the next messages of a device for new ones. */
const leaveRecorder = ({ pool, node, log }: Pick<World, "pool" | "node" | "log">) => {
  const remove = arrivalRemover(pool, node.id);
  return (deviceId: number): void => {
    if (!node.isOfCluster) return;
    remove(deviceId).catch((fault: unknown) =>
      log.warn(
        { err: fault, deviceId },
        "Could not record that a device disconnected; for a minute, equal messages to another node may be taken for resends",
      ),
    );
  };
};

export const createArrivals = (world: Pick<World, "pool" | "clock" | "node" | "log">): Arrivals => {
  const { pool, node, clock } = world;
  const waiting = createWaiting();
  const windows = createWindows(world);
  const reloads = createReloads(world);
  /** Number of clean DISCONNECTs by device. */
  const epochs = new Map<number, number>();
  const epochOf = (deviceId: number): number => epochs.get(deviceId) ?? 0;
  const recordLeave = leaveRecorder(world);
  const { committed, committedElsewhere } = createLookUps(arrivalFinder(pool, node.id), windows);
  const waitingFor = (identity: MessageIdentity, isRepeated: boolean): Waiting | undefined => {
    const known = waiting.get(identity);
    return isRepeated || known?.identity.epoch === identity.epoch ? known : undefined;
  };
  /** A device that took its leave sends nothing again, though its connection is gone; nor does one whose server is alone have another to send to. */
  const underway = (identity: MessageIdentity, ts: number, { connection }: Delivery): Underway => ({
    identity,
    ts,
    isBroken: node.isOfCluster && (connection?.closed ?? false) && identity.epoch === epochOf(identity.deviceId),
  });
  return {
    identifier: ({ deviceId }, payload, { packetId }) => {
      if (packetId === undefined) return undefined;
      const epoch = epochOf(deviceId);
      return () => identityOf({ deviceId, epoch }, payload, packetId);
    },
    connected: windows.open,
    committed,
    first: (identity, delivery, loads) => {
      const { isRepeated = false } = delivery;
      const isReloaded = node.isOfCluster && reloads.isRecent(identity.deviceId, loads);
      const entry = waitingFor(identity, isRepeated);
      // It may be committed here during the look-up, and its entry be gone then.
      if (entry) return committedElsewhere(underway(identity, entry.ts, delivery)).then((ts) => ts ?? entry.ts);
      const found = committed(identity, isRepeated);
      if (!isReloaded) return found;
      const arrived = clock.now();
      return Promise.resolve(found).then((ts) => ts ?? committedElsewhere(underway(identity, arrived, delivery)));
    },
    waiting: (identity, isRepeated) => waitingFor(identity, isRepeated)?.ts,
    wait: (identity, ts) => {
      const { entry, end } = waiting.add(identity, ts);
      const lookUp = async (delivery: Delivery): Promise<number> => {
        const known = await committed(identity, delivery.isRepeated ?? false);
        entry.ts = known ?? (await committedElsewhere(underway(identity, ts, delivery))) ?? entry.ts;
        return entry.ts;
      };
      return { lookUp, end };
    },
    disconnectedCleanly: (deviceId) => {
      epochs.set(deviceId, epochOf(deviceId) + 1);
      windows.close(deviceId);
      recordLeave(deviceId);
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
