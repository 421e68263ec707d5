import { ConnectionEnded, Reason } from "../mqtt5/reasons.ts";

/** Validation of a connection's packets. Either function may throw, which ends the reading. */
export interface PacketChecks {
  /** Validates first byte and total length, before more of the packet is buffered. */
  checkHeader(firstByte: number, length: number): void;
  /** Validates a complete packet; `bodyAt` is the offset after its fixed header. */
  checkPacket(packet: Buffer, bodyAt: number): void;
}

export interface PacketReader {
  /**
   * Takes received bytes; passes complete packets to `take`, adjacent ones in one buffer. Throws what the checks throw, after passing on the packets
   * before.
   */
  read(chunk: Buffer, take: (packets: Buffer) => void): void;
  /** Bytes buffered of an incomplete packet. */
  held(): number;
}

interface Head {
  bodyAt: number;
  /** Total length of the packet. */
  length: number;
}

/** A packet's fixed header; undefined until all of it has arrived. [MQTT-2.2.3] */
const headOf = (bytes: Buffer, from: number, to: number): Head | undefined => {
  let length = 0;
  for (let at = from + 1; at < to; at += 1) {
    const byte = bytes[at] ?? 0;
    length += (byte & 0x7f) * 128 ** (at - from - 1);
    if (byte < 0x80) return { bodyAt: at + 1 - from, length: at + 1 - from + length };
    if (at - from === 4)
      throw new ConnectionEnded(Reason.malformedPacket, "The remaining length has more than 4 bytes");
  }
  return undefined;
};

const longestHead = 5;
/** Initial capacity of the buffer for a packet that arrives in pieces; it doubles. */
const firstCapacity = 1_024;

/** Buffers an incomplete packet. Each byte is copied a constant number of times, however small the pieces. */
const createCollector = () => {
  let bytes = Buffer.alloc(0);
  let filled = 0;
  return {
    filled: () => filled,
    head: () => headOf(bytes, 0, filled),
    firstByte: () => bytes[0] ?? 0,
    /** `most`: the final size. */
    add: (piece: Buffer, most: number): void => {
      if (filled + piece.length > bytes.length) {
        // Not from the shared pool: a few bytes that are never completed would retain a whole slab.
        const larger = Buffer.allocUnsafeSlow(
          Math.max(filled + piece.length, Math.min(most, Math.max(2 * bytes.length, firstCapacity))),
        );
        bytes.copy(larger, 0, 0, filled);
        bytes = larger;
      }
      filled += piece.copy(bytes, filled);
    },
    /** Returns the collected bytes and starts with a new buffer: the packet's payload keeps pointing into the old one. */
    empty: (): Buffer => {
      const all = bytes.subarray(0, filled);
      bytes = Buffer.alloc(0);
      filled = 0;
      return all;
    },
  };
};

/**
 * Splits a connection's bytes into whole packets before a parser sees them: mqtt-packet keeps a packet as the pieces in which it arrives, which costs
 * quadratic time.
 */
export const createPacketReader = (checks: PacketChecks): PacketReader => {
  const partial = createCollector();
  /** Appends to the incomplete packet; returns how many bytes it consumed. */
  const continuePacket = (chunk: Buffer, take: (packets: Buffer) => void): number => {
    let at = 0;
    let head = partial.head();
    while (!head && at < chunk.length) {
      partial.add(chunk.subarray(at, at + 1), longestHead);
      at += 1;
      head = partial.head();
    }
    if (!head) return at;
    checks.checkHeader(partial.firstByte(), head.length);
    const rest = chunk.subarray(at, at + head.length - partial.filled());
    partial.add(rest, head.length);
    if (partial.filled() === head.length) {
      const packet = partial.empty();
      checks.checkPacket(packet, head.bodyAt);
      take(packet);
    }
    return at + rest.length;
  };
  /** Finds complete packets from an offset on; reports the end of each. */
  const skipWhole = (chunk: Buffer, from: number, onWhole: (end: number) => void): void => {
    let at = from;
    while (at < chunk.length) {
      const head = headOf(chunk, at, chunk.length);
      if (!head) return;
      checks.checkHeader(chunk[at] ?? 0, head.length);
      if (at + head.length > chunk.length) return;
      checks.checkPacket(chunk.subarray(at, at + head.length), head.bodyAt);
      at += head.length;
      onWhole(at);
    }
  };
  return {
    held: partial.filled,
    read: (chunk, take) => {
      const from = partial.filled() > 0 ? continuePacket(chunk, take) : 0;
      let end = from;
      try {
        skipWhole(chunk, from, (at) => {
          end = at;
        });
      } finally {
        if (end > from) take(from === 0 && end === chunk.length ? chunk : chunk.subarray(from, end));
      }
      const left = chunk.subarray(end);
      if (left.length > 0) partial.add(left, headOf(left, 0, left.length)?.length ?? longestHead);
    },
  };
};
