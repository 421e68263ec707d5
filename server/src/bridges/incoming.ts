/** Longest packet that a broker may send, bytes. It has to say no more than that it has a message, or that it wants the births again. */
const longest = 16_384;
/** Packets that a broker may send beyond one for each that it gets, in so many milliseconds: commands, mostly none. */
const [unasked, window] = [1_000, 60_000];

/** PUBLISH, and the two bits of its quality of service that say 2. */
const [publish, qualityBits, exactlyOnce] = [3, 0b0110, 0b0100];
/** A byte of the remaining length has seven bits of it; the eighth says that another one follows, after three at most. */
const [sevenBits, longestLength] = [0x7f, 4];

/** What a broker sends over one connection. */
export interface Incoming {
  /** The client has sent a packet, which may be answered. */
  sent(): void;
  /** Looks at bytes as they come. Returns what is wrong with them, in words for who operates the broker; undefined when nothing is. */
  wrongWith(piece: Buffer): string | undefined;
}

/**
 * Watches what a broker sends, whose operator may be anybody: a client's library keeps whole packets, and messages of the highest quality of service, as
 * long as the other end likes, and handles as many as it sends. `steady`: milliseconds of a clock that is not set.
 */
export const createIncoming = (steady: () => number): Incoming => {
  /** Bytes of the packet that are still to come, after its length is known. */
  let left = 0;
  let lengthBytes = 0;
  let length = 0;
  let first: number | undefined;
  let allowed = unasked;
  let until = steady() + window;
  const wrongWithPacket = (head: number): string | undefined => {
    if (steady() > until) {
      allowed = Math.max(allowed, unasked);
      until = steady() + window;
    }
    allowed -= 1;
    if (length > longest) return `The broker sends ${length} bytes in one packet: a bridge takes ${longest} at most`;
    if (head >> 4 === publish && (head & qualityBits) === exactlyOnce)
      return "The broker sends messages with QoS 2: a bridge has subscribed with QoS 1 at most";
    return allowed < 0 ? `The broker sends more than ${unasked} packets a minute that nobody has asked for` : undefined;
  };
  return {
    sent: () => {
      allowed += 1;
    },
    wrongWith: (piece) => {
      for (let at = 0; at < piece.length; at++) {
        if (left > 0) {
          const skipped = Math.min(left, piece.length - at);
          left -= skipped;
          at += skipped - 1;
          continue;
        }
        const byte = piece[at] ?? 0;
        if (first === undefined) {
          [first, length, lengthBytes] = [byte, 0, 0];
          continue;
        }
        length += (byte & sevenBits) * 2 ** (7 * lengthBytes);
        lengthBytes += 1;
        if (byte > sevenBits && lengthBytes < longestLength) continue;
        const wrong = wrongWithPacket(first);
        if (wrong !== undefined) return wrong;
        left = length;
        first = undefined;
      }
      return undefined;
    },
  };
};
