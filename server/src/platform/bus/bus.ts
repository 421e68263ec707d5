import type { LiveMessage } from "@telltale/contract/live";

/** What happened in a plant, for whoever shows it. `changed` says that settings or rights of devices changed, so that caches are refilled. */
export interface PlantEvent {
  plantId: number;
  message: LiveMessage;
}

/** Why a device's connection ends: it was disabled, or it is no longer what its token and device ID stand for. */
export type DeviceEnd = "disabled" | "deleted";

export interface BusEvents {
  /** To the sockets of the plant. */
  live: PlantEvent;
  /** A device, its channels' settings or its alarms changed in the database; who caches them loads them again. */
  deviceChange: { deviceId: number; ended?: DeviceEnd };
  /** Notices of the database may have been missed: whatever is kept because of them is looked at anew. */
  noticesMissed: Record<string, never>;
  /** A device listens for commands now. */
  deviceReady: { deviceId: number };
  /** Joint controls of a plant were changed. */
  jointRules: { plantId: number };
  /** A token ended; its sockets are closed. */
  signOut: { tokenHash: string };
  /** What an account may do or see changed; its sockets connect again. */
  rightsChange: { accountId: number };
}

type Listener<E> = (event: E) => void;

/** Publish and subscribe inside the process. A listener that throws does not hinder the others. */
export interface Bus {
  emit<K extends keyof BusEvents>(name: K, event: BusEvents[K]): void;
  /** Gives back how to unsubscribe. */
  on<K extends keyof BusEvents>(name: K, listener: Listener<BusEvents[K]>): () => void;
}

export const createBus = (onFault: (fault: unknown) => void): Bus => {
  const listeners: { [K in keyof BusEvents]: Set<Listener<BusEvents[K]>> } = {
    live: new Set(),
    deviceChange: new Set(),
    noticesMissed: new Set(),
    deviceReady: new Set(),
    jointRules: new Set(),
    signOut: new Set(),
    rightsChange: new Set(),
  };
  return {
    emit: (name, event) => {
      for (const listener of listeners[name]) {
        try {
          listener(event);
        } catch (fault) {
          onFault(fault);
        }
      }
    },
    on: (name, listener) => {
      listeners[name].add(listener);
      return () => listeners[name].delete(listener);
    },
  };
};

/** The notices of other transactions and servers, as they arrive on the bus. */
export interface NoticesHeard {
  /** Resolves when the notices of every transaction that is committed by now are on the bus. Waits a second at most, and not at all while none are heard. */
  caughtUp(): Promise<void>;
}
