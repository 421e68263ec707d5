import type { Frame } from "./pending.ts";

/** The connection that a send buffer writes to. */
export interface Wire {
  /** Bytes written but not yet sent. */
  readonly waiting: number;
  write(bytes: Buffer): void;
}

/** Send buffer of a socket. While the network is slow it keeps only the newest message of each subject, so memory stays bounded. */
export interface SendBuffer {
  /** Sends the frames, whose joined bytes are `batch`, or keeps them. Returns how many older ones they replaced. */
  offer(frames: readonly Frame[], batch: Buffer): number;
  /** Sends kept frames as far as the network takes them. */
  drain(): void;
  readonly isHolding: boolean;
}

/** Unsent bytes from which a connection counts as slow. */
export const highWater = 64 * 1024;

export const createSendBuffer = (wire: Wire): SendBuffer => {
  const held = new Map<Frame["subject"], Frame>();

  const hold = (frames: readonly Frame[]): number => {
    const before = held.size;
    for (const frame of frames) held.set(frame.subject, held.has(frame.subject) ? frame.alone : frame);
    return before + frames.length - held.size;
  };

  return {
    get isHolding() {
      return held.size > 0;
    },
    offer: (frames, batch) => {
      if (held.size > 0 || wire.waiting > highWater) return hold(frames);
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
