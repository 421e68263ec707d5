import type { Frame } from "./pending.ts";

/** The part of a connection that messages are written to. */
export interface Wire {
  /** Bytes handed over and not taken by the network yet. */
  readonly waiting: number;
  write(bytes: Buffer): void;
}

/** A socket's way out. While its network is slow it keeps the newest message of each subject and nothing more, so memory stays bounded. */
export interface SendBuffer {
  /** Sends the parcels, whose joined bytes are `batch`, or keeps them. Gives how many older ones were dropped for them. */
  offer(parcels: readonly Frame[], batch: Buffer): number;
  /** Sends what was kept, as far as the network takes it. */
  drain(): void;
  readonly isHolding: boolean;
}

/** A connection with more than this waiting, in bytes, is slow. */
export const highWater = 64 * 1024;

export const createSendBuffer = (wire: Wire): SendBuffer => {
  const held = new Map<Frame["subject"], Frame>();

  const hold = (parcels: readonly Frame[]): number => {
    const before = held.size;
    for (const parcel of parcels) held.set(parcel.subject, parcel);
    return before + parcels.length - held.size;
  };

  return {
    get isHolding() {
      return held.size > 0;
    },
    offer: (parcels, batch) => {
      if (held.size > 0 || wire.waiting > highWater) return hold(parcels);
      wire.write(batch);
      return 0;
    },
    drain: () => {
      for (const [subject, { bytes }] of held) {
        if (wire.waiting > highWater) return;
        held.delete(subject);
        wire.write(bytes);
      }
    },
  };
};
