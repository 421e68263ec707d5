import { serverCount, serverOf } from "../../readings/index.ts";
import type { KnownDevice } from "../devices/known-device.ts";

/** Resources of a queued message. */
export interface Load {
  readings: number;
  /** Size of its payload, which its transport keeps until the message is acknowledged. */
  bytes: number;
}

/** Totals of the backlog, for metrics. */
export interface WaitingStats {
  /** Messages that wait for their commit, and their readings. */
  waiting: number;
  waitingReadings: number;
  /** Approximate bytes of the backlog. */
  waitingBytes: number;
}

interface Totals extends Load {
  messages: number;
}

/**
 * Limits of the backlog, which bound memory while the database is away. Above the readings, messages wait undecoded; above messages and bytes they
 * are rejected. One device, together with its sub-devices, gets a share: as much as it may have in flight, and little enough that other devices'
 * readings get into the next batches. Of a database in parts each server's devices have an equal share, which a lost server's use up alone; what is set
 * aside has one, too.
 */
const limits = {
  all: { messages: 100_000, readings: 500_000, bytes: 128 * 1024 * 1024 },
  device: { messages: 5_000, readings: 50_000, bytes: 8 * 1024 * 1024 },
} as const;

/** Approximate bytes of a message besides its payload. */
const overhead = 512;

/** Approximate bytes of a decoded reading that cannot be submitted yet. */
const readingBytes = 100;

const addTo = (waiting: Totals, { messages, readings, bytes }: Totals): void => {
  waiting.messages += messages;
  waiting.readings += readings;
  waiting.bytes += bytes;
};

const isBeyond = (waiting: Totals, limit: Totals, share = 1): boolean =>
  waiting.messages > limit.messages / share || waiting.bytes > limit.bytes / share;

/** A master and its sub-devices count as one: they share its connection. */
export const ownerOf = ({ parentDeviceId, deviceId }: KnownDevice): number => parentDeviceId ?? deviceId;

/** Counts what waits for its commit, in total and per device. */
export interface Backlog {
  /** Whether messages of the device are rejected. */
  isFull(device: KnownDevice | undefined): boolean;
  /** Whether there is room to decode another message of the device. */
  hasRoom(device: KnownDevice): boolean;
  /** Counts a message that waits for its commit; call the returned function at its end. */
  add(device: KnownDevice | undefined, load: Load): () => void;
  /** Like `add`, for a message that is set aside: it takes nothing from the share of its server. */
  addAside: Backlog["add"];
  /** Whether too much is set aside. */
  isAsideFull(): boolean;
  /** Counts a message that cannot be submitted yet. */
  hold(device: KnownDevice, load: Load): () => void;
  /** Resolves when the backlog shrinks. */
  waitForLess(): Promise<void>;
  /** Resolves all pending `waitForLess`. */
  wakeAll(): void;
}

export const createBacklog = (stats: WaitingStats): Backlog => {
  const all: Totals = { messages: 0, readings: 0, bytes: 0 };
  const share = serverCount();
  // Of a whole database the one server's are all.
  const servers =
    share === 1 ? [all] : Array.from({ length: share }, (): Totals => ({ messages: 0, readings: 0, bytes: 0 }));
  const ofServer = (owner: number): Totals => servers[serverOf(owner)] ?? all;
  const aside: Totals = { messages: 0, readings: 0, bytes: 0 };
  const byOwner = new Map<number, Totals>();
  let sleepers: (() => void)[] = [];
  const change = (owner: number, shared: Totals, added: Totals): void => {
    const own = byOwner.get(owner) ?? { messages: 0, readings: 0, bytes: 0 };
    addTo(all, added);
    if (shared !== all) addTo(shared, added);
    addTo(own, added);
    if (own.messages === 0 && own.readings === 0 && own.bytes === 0) byOwner.delete(owner);
    else byOwner.set(owner, own);
    stats.waiting = all.messages;
    stats.waitingReadings = all.readings;
    stats.waitingBytes = all.bytes;
  };
  const wakeAll = (): void => {
    const woken = sleepers;
    sleepers = [];
    for (const wake of woken) wake();
  };
  const count = (device: KnownDevice | undefined, messages: number, load: Load, apart?: Totals): (() => void) => {
    const owner = device ? ownerOf(device) : 0;
    const shared = apart ?? ofServer(owner);
    const bytes = load.bytes + overhead;
    const { readings } = load;
    change(owner, shared, { messages, readings, bytes });
    return () => {
      change(owner, shared, { messages: -messages, readings: -readings, bytes: -bytes });
      if (sleepers.length > 0) wakeAll();
    };
  };
  return {
    isFull: (device) => {
      const owner = device ? ownerOf(device) : 0;
      const own = device && byOwner.get(owner);
      return isBeyond(ofServer(owner), limits.all, share) || (own !== undefined && isBeyond(own, limits.device));
    },
    hasRoom: (device) => {
      const owner = ownerOf(device);
      const own = byOwner.get(owner)?.readings ?? 0;
      return ofServer(owner).readings <= limits.all.readings / share && own <= limits.device.readings;
    },
    add: (device, load) => count(device, 1, load),
    addAside: (device, load) => count(device, 1, load, aside),
    isAsideFull: () => isBeyond(aside, limits.all, share),
    // Counted as 0 messages: the reload of its device that it waits for is submitted as a message of its own.
    hold: (device, { readings, bytes }) => count(device, 0, { readings: 0, bytes: bytes + readings * readingBytes }),
    waitForLess: () => new Promise((resolve) => sleepers.push(resolve)),
    wakeAll,
  };
};
