import { ConnectionEnded, Reason } from "../mqtt5/reasons.ts";

/** What is done with the packets of a connection. Either may throw, which ends the reading. */
export interface PacketChecks {
  /** Judges a packet by its first byte and its whole length, before more of it is kept. */
  begin(firstByte: number, length: number): void;
  /** Judges a whole packet; `bodyAt` is where its fixed header ends. */
  evaluate(packet: Buffer, bodyAt: number): void;
}

export interface PacketReader {
  /** Takes the bytes that came; gives whole packets to `take`, as many at once as lie one behind the other. Throws what the checks throw, after the packets before. */
  read(chunk: Buffer, take: (packets: Buffer) => void): void;
  /** Bytes of a packet of which the rest has not come. */
  held(): number;
}

interface Head {
  bodyAt: number;
  /** Of the whole packet. */
  length: number;
}

/** A packet's fixed header, once all of it is here. [MQTT-2.2.3] */
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
/** A buffer for a packet that comes in pieces begins with this many bytes, and doubles. */
const firstCapacity = 1_024;

/** The beginning of a packet, of which every byte is copied a constant number of times, in however small pieces they come. */
const createCollector = () => {
  let bytes = Buffer.alloc(0);
  let filled = 0;
  return {
    filled: () => filled,
    head: () => headOf(bytes, 0, filled),
    firstByte: () => bytes[0] ?? 0,
    /** `most`: as much as it will ever hold. */
    add: (piece: Buffer, most: number): void => {
      if (filled + piece.length > bytes.length) {
        // Not of the shared pool: a few bytes that are never completed would keep a whole slab of it alive.
        const larger = Buffer.allocUnsafeSlow(
          Math.max(filled + piece.length, Math.min(most, Math.max(2 * bytes.length, firstCapacity))),
        );
        bytes.copy(larger, 0, 0, filled);
        bytes = larger;
      }
      filled += piece.copy(bytes, filled);
    },
    /** Gives what was collected and begins anew: the packet's payload goes on to point at these bytes. */
    empty: (): Buffer => {
      const all = bytes.subarray(0, filled);
      bytes = Buffer.alloc(0);
      filled = 0;
      return all;
    },
  };
};

/**
 * Cuts a connection's bytes into whole packets before a parser sees them: mqtt-packet keeps a packet as the pieces in which it comes, which takes it time by
 * the square of their number.
 */
export const createPacketReader = (checks: PacketChecks): PacketReader => {
  const begun = createCollector();
  /** Adds to the packet that has begun; gives how many bytes it took. */
  const goOn = (chunk: Buffer, take: (packets: Buffer) => void): number => {
    let at = 0;
    let head = begun.head();
    while (!head && at < chunk.length) {
      begun.add(chunk.subarray(at, at + 1), longestHead);
      at += 1;
      head = begun.head();
    }
    if (!head) return at;
    checks.begin(begun.firstByte(), head.length);
    const rest = chunk.subarray(at, at + head.length - begun.filled());
    begun.add(rest, head.length);
    if (begun.filled() === head.length) {
      const packet = begun.empty();
      checks.evaluate(packet, head.bodyAt);
      take(packet);
    }
    return at + rest.length;
  };
  /** Finds the whole packets from a place on; gives where the last of them ends. */
  const skipWhole = (chunk: Buffer, from: number, onWhole: (end: number) => void): void => {
    let at = from;
    while (at < chunk.length) {
      const head = headOf(chunk, at, chunk.length);
      if (!head) return;
      checks.begin(chunk[at] ?? 0, head.length);
      if (at + head.length > chunk.length) return;
      checks.evaluate(chunk.subarray(at, at + head.length), head.bodyAt);
      at += head.length;
      onWhole(at);
    }
  };
  return {
    held: begun.filled,
    read: (chunk, take) => {
      const from = begun.filled() > 0 ? goOn(chunk, take) : 0;
      let end = from;
      try {
        skipWhole(chunk, from, (at) => {
          end = at;
        });
      } finally {
        if (end > from) take(from === 0 && end === chunk.length ? chunk : chunk.subarray(from, end));
      }
      const left = chunk.subarray(end);
      if (left.length > 0) begun.add(left, headOf(left, 0, left.length)?.length ?? longestHead);
    },
  };
};
