import type { LiveMessage } from "@telltale/contract/live";
import type { RecordChange } from "../database/audit.ts";

/** A live message for the consoles of a plant. */
export interface PlantEvent {
  plantId: number;
  message: LiveMessage;
  /** More of the device may have changed than its alerts, such as its name, which lists of all its alerts show. */
  isOfDevice?: true;
}

/**
 * Why a device's connections are closed: it was disabled or deleted, or its token was replaced. After a deletion its token and device ID no longer
 * belong to this record.
 */
export type DeviceEnd = "disabled" | "deleted" | "newToken";

/** `isOffline`: a node has marked it offline. */
export interface DeviceChange {
  deviceId: number;
  ended?: DeviceEnd;
  isOffline?: true;
}

export interface BusEvents {
  /** For the live sockets of the plant. */
  live: PlantEvent;
  /** A device, its channel settings or its alarms have changed in the database; caches reload them. */
  deviceChange: DeviceChange;
  /** Records have changed in the database; consoles that show them reload them. */
  recordChange: RecordChange;
  /** Database notices may have been missed: caches must reload everything. */
  noticesMissed: Record<string, never>;
  /** Live messages of other nodes may have been missed: consoles must refetch what they show. */
  liveMissed: Record<string, never>;
  /** The first console of a plant has connected to this node, or the last one has left. */
  watched: { plantId: number; isWatched: boolean };
  /** A device accepts commands now. `isPoll`: it long-polls for them over HTTP, as it may have done all the time. */
  deviceReady: { deviceId: number; isPoll?: boolean };
  /** Joint controls of a plant have changed. */
  jointRules: { plantId: number };
  /** A session has ended; its sockets are closed. */
  signOut: { tokenHash: string };
  /** An account's rights or visibility have changed; its sockets reconnect. */
  rightsChange: { accountId: number };
}

type Listener<E> = (event: E) => void;

/** Events that concern every node of a cluster. Each node gets the others from the database's notices, or they are its own. */
export type SharedEvent = "live" | "liveMissed" | "deviceReady" | "jointRules" | "signOut" | "rightsChange";

type SharedListener = <K extends SharedEvent>(name: K, event: BusEvents[K]) => void;

/** Publish and subscribe within the process. A listener that throws does not affect the others. */
export interface Bus {
  /** Emits an event on every node of the cluster. */
  emit<K extends SharedEvent>(name: K, event: BusEvents[K]): void;
  /** Emits an event on this node only. */
  emitHere<K extends keyof BusEvents>(name: K, event: BusEvents[K]): void;
  /** Subscribes; returns the function that unsubscribes. */
  on<K extends keyof BusEvents>(name: K, listener: Listener<BusEvents[K]>): () => void;
  /** Subscribes to what this node emits for every node. */
  onShared(listener: SharedListener): () => void;
}

export const createBus = (onFault: (fault: unknown) => void): Bus => {
  const listeners: { [K in keyof BusEvents]: Set<Listener<BusEvents[K]>> } = {
    live: new Set(),
    deviceChange: new Set(),
    recordChange: new Set(),
    noticesMissed: new Set(),
    liveMissed: new Set(),
    watched: new Set(),
    deviceReady: new Set(),
    jointRules: new Set(),
    signOut: new Set(),
    rightsChange: new Set(),
  };
  const shared = new Set<SharedListener>();
  const emitHere: Bus["emitHere"] = (name, event) => {
    for (const listener of listeners[name]) {
      try {
        listener(event);
      } catch (fault) {
        onFault(fault);
      }
    }
  };
  return {
    emitHere,
    emit: (name, event) => {
      emitHere(name, event);
      for (const listener of shared) {
        try {
          listener(name, event);
        } catch (fault) {
          onFault(fault);
        }
      }
    },
    onShared: (listener) => {
      shared.add(listener);
      return () => shared.delete(listener);
    },
    on: (name, listener) => {
      listeners[name].add(listener);
      return () => listeners[name].delete(listener);
    },
  };
};

/** The notices of other transactions and servers, forwarded to the bus. */
export interface NoticeSync {
  /**
   * Resolves when the notices of every committed transaction are on the bus. Waits a second at most; returns at once while the listening connection
   * is down.
   */
  caughtUp(): Promise<void>;
}
