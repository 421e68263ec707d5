import { isUtf8 } from "node:buffer";
import { ConnectionEnded, Reason } from "../mqtt5/reasons.ts";

/** Fields of a packet. Each function takes where a field begins and gives where the next one does; it throws when the packet ends before. */

export const malformed = (why: string): ConnectionEnded => new ConnectionEnded(Reason.malformedPacket, why);

export const protocolError = (why: string): ConnectionEnded => new ConnectionEnded(Reason.protocolError, why);

/** The place after so many bytes. */
export const afterBytes = (packet: Buffer, at: number, length: number): number => {
  if (at + length > packet.length) throw malformed("The packet ends within a field");
  return at + length;
};

export const byteAt = (packet: Buffer, at: number): number => {
  afterBytes(packet, at, 1);
  return packet[at] ?? 0;
};

/** A number of two bytes. */
export const numberAt = (packet: Buffer, at: number): number => {
  afterBytes(packet, at, 2);
  return packet.readUInt16BE(at);
};

/** Binary data, with its length before it. */
export const afterBinary = (packet: Buffer, at: number): number => afterBytes(packet, at + 2, numberAt(packet, at));

/** The bytes of a text, which is UTF-8 without NUL. [MQTT-1.5.3-1] [MQTT-1.5.3-2] */
export const textAt = (packet: Buffer, at: number): Buffer => {
  const text = packet.subarray(at + 2, afterBinary(packet, at));
  if (text.includes(0) || !isUtf8(text)) throw malformed("A text is not UTF-8, or has a NUL in it");
  return text;
};

export const afterText = (packet: Buffer, at: number): number => at + 2 + textAt(packet, at).length;

/** A number of up to four bytes, seven bits in each. [MQTT5 1.5.5] */
export const variableAt = (packet: Buffer, at: number): { value: number; next: number } => {
  let value = 0;
  for (let count = 0; count < 4; count += 1) {
    const byte = byteAt(packet, at + count);
    value += (byte & 0x7f) * 128 ** count;
    if (byte < 0x80) return { value, next: at + count + 1 };
  }
  throw malformed("A number has more than 4 bytes");
};
