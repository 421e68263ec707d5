import { isUtf8 } from "node:buffer";
import { ConnectionEnded, Reason } from "../mqtt5/reasons.ts";

/** Fields of a packet. Each function takes the offset of a field and returns the offset of the next one; it throws when the packet ends within it. */

export const malformed = (why: string): ConnectionEnded => new ConnectionEnded(Reason.malformedPacket, why);

export const protocolError = (why: string): ConnectionEnded => new ConnectionEnded(Reason.protocolError, why);

/** The offset after `length` bytes. */
export const afterBytes = (packet: Buffer, at: number, length: number): number => {
  if (at + length > packet.length) throw malformed("The packet ends within a field");
  return at + length;
};

export const byteAt = (packet: Buffer, at: number): number => {
  afterBytes(packet, at, 1);
  return packet[at] ?? 0;
};

/** A two-byte integer. */
export const numberAt = (packet: Buffer, at: number): number => {
  afterBytes(packet, at, 2);
  return packet.readUInt16BE(at);
};

/** The offset after length-prefixed binary data. */
export const afterBinary = (packet: Buffer, at: number): number => afterBytes(packet, at + 2, numberAt(packet, at));

/** The bytes of a UTF-8 string without NUL. [MQTT-1.5.3-1] [MQTT-1.5.3-2] */
export const textAt = (packet: Buffer, at: number): Buffer => {
  const text = packet.subarray(at + 2, afterBinary(packet, at));
  if (text.includes(0) || !isUtf8(text)) throw malformed("A text is not UTF-8, or has a NUL in it");
  return text;
};

export const afterText = (packet: Buffer, at: number): number => at + 2 + textAt(packet, at).length;

/** A variable byte integer: up to four bytes, seven bits in each. [MQTT5 1.5.5] */
export const variableAt = (packet: Buffer, at: number): { value: number; next: number } => {
  let value = 0;
  for (let count = 0; count < 4; count += 1) {
    const byte = byteAt(packet, at + count);
    value += (byte & 0x7f) * 128 ** count;
    if (byte < 0x80) return { value, next: at + count + 1 };
  }
  throw malformed("A number has more than 4 bytes");
};
