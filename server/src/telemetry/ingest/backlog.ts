import type { KnownDevice } from "../devices/known-device.ts";

/** What a waiting message takes. */
export interface Load {
  readings: number;
  /** Bytes of its payload, which its transport keeps until the message is acknowledged. */
  bytes: number;
}

/** What waits, for whoever asks how the writer does. */
export interface WaitingStats {
  /** Messages that wait for their commit, and their readings. */
  waiting: number;
  waitingReadings: number;
  /** Bytes of what waits, about. */
  waitingBytes: number;
}

interface Waiting extends Load {
  messages: number;
}

/**
 * What may wait at most, so that memory stays bounded while the database is away. Beyond the readings, messages wait undecoded; beyond messages and bytes they
 * are not taken. One device, with those behind it, gets a part: as much as it may have in flight, and so little that the others' readings are in the next batches.
 */
const limits = {
  all: { messages: 100_000, readings: 500_000, bytes: 128 * 1024 * 1024 },
  device: { messages: 5_000, readings: 50_000, bytes: 8 * 1024 * 1024 },
} as const;

/** Bytes that a message takes besides its payload, about. */
const overhead = 512;

/** Bytes that a reading takes that is decoded and can't be submitted yet, about. */
const readingBytes = 100;

const isBeyond = (waiting: Waiting, limit: Waiting): boolean =>
  waiting.messages > limit.messages || waiting.bytes > limit.bytes;

/** A master and its sub-devices are one: they come over its connection. */
const ownerOf = ({ parentDeviceId, deviceId }: KnownDevice): number => parentDeviceId ?? deviceId;

/** Counts what waits for its commit, of all devices and of each. */
export interface Backlog {
  /** Whether no message of the device is taken. */
  isFull(device: KnownDevice | undefined): boolean;
  /** Whether few enough readings wait for one of its messages to be decoded. */
  hasRoom(device: KnownDevice): boolean;
  /** Counts a message that waits for its commit; the function given back ends that. */
  add(device: KnownDevice | undefined, load: Load): () => void;
  /** Counts what a message takes that can't be submitted yet. */
  hold(device: KnownDevice, load: Load): () => void;
  /** Resolves when less waits than now. */
  less(): Promise<void>;
  /** Ends the waiting for less. */
  wakeAll(): void;
}

export const createBacklog = (stats: WaitingStats): Backlog => {
  const all: Waiting = { messages: 0, readings: 0, bytes: 0 };
  const byOwner = new Map<number, Waiting>();
  let sleepers: (() => void)[] = [];
  const change = (owner: number, { messages, readings, bytes }: Waiting): void => {
    const own = byOwner.get(owner) ?? { messages: 0, readings: 0, bytes: 0 };
    for (const waiting of [all, own]) {
      waiting.messages += messages;
      waiting.readings += readings;
      waiting.bytes += bytes;
    }
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
  const count = (device: KnownDevice | undefined, messages: number, load: Load): (() => void) => {
    const owner = device ? ownerOf(device) : 0;
    const bytes = load.bytes + overhead;
    const { readings } = load;
    change(owner, { messages, readings, bytes });
    return () => {
      change(owner, { messages: -messages, readings: -readings, bytes: -bytes });
      if (sleepers.length > 0) wakeAll();
    };
  };
  return {
    isFull: (device) => {
      const own = device && byOwner.get(ownerOf(device));
      return isBeyond(all, limits.all) || (own !== undefined && isBeyond(own, limits.device));
    },
    hasRoom: (device) => {
      const own = byOwner.get(ownerOf(device))?.readings ?? 0;
      return all.readings <= limits.all.readings && own <= limits.device.readings;
    },
    add: (device, load) => count(device, 1, load),
    // The look at its device for which it waits is counted as a message of its own.
    hold: (device, { readings, bytes }) => count(device, 0, { readings: 0, bytes: bytes + readings * readingBytes }),
    less: () => new Promise((resolve) => sleepers.push(resolve)),
    wakeAll,
  };
};
